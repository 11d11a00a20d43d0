"""What people do in a town: `OPERATIONS` by name, one module for each part of the product."""

from tests.contract.operations import channels as channels
from tests.contract.operations import messages as messages
from tests.contract.operations import organization as organization
from tests.contract.operations import people as people
from tests.contract.operations import personal as personal
from tests.contract.operations.base import OPERATIONS as OPERATIONS
from tests.contract.operations.base import Step as Step
