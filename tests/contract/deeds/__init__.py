"""What people do in a town: `DEEDS` by name, one module for each part of the product."""

from tests.contract.deeds import channels as channels
from tests.contract.deeds import messages as messages
from tests.contract.deeds import organization as organization
from tests.contract.deeds import people as people
from tests.contract.deeds import personal as personal
from tests.contract.deeds.base import DEEDS as DEEDS
from tests.contract.deeds.base import Step as Step
