"""Maps names of emoji in Slack and Mattermost to our emoji. Pure."""

from collections.abc import Mapping
from typing import Final

from server_lite.markup.emoji import name_to_code

_OTHER_NAMES: Final[Mapping[str, str]] = {
    "arrow_right": "27a1",
    "blush": "1f60a",
    "bow": "1f647",
    "clapping": "1f44f",
    "face_with_rolling_eyes": "1f644",
    "facepalm": "1f926",
    "grin": "1f601",
    "grinning": "1f600",
    "grimacing": "1f62c",
    "heart_eyes": "1f60d",
    "heavy_check_mark": "2714",
    "heavy_plus_sign": "2795",
    "hugging_face": "1f917",
    "laughing": "1f606",
    "man-shrugging": "1f937",
    "nerd_face": "1f913",
    "open_mouth": "1f62e",
    "partying_face": "1f973",
    "point_up_2": "1f446",
    "red_circle": "1f534",
    "relaxed": "263a",
    "rolling_on_the_floor_laughing": "1f923",
    "scream": "1f631",
    "shrug": "1f937",
    "simple_smile": "1f642",
    "slightly_smiling_face": "1f642",
    "smile": "1f604",
    "smiley": "1f603",
    "sob": "1f62d",
    "stuck_out_tongue": "1f61b",
    "sweat_smile": "1f605",
    "the_horns": "1f918",
    "thinking_face": "1f914",
    "thumbsdown": "1f44e",
    "thumbsup": "1f44d",
    "upside_down_face": "1f643",
    "warning": "26a0",
    "white_check_mark": "2705",
    "wink": "1f609",
    "woman-shrugging": "1f937",
    "x": "274c",
}
"""Names that differ here, limited to those often used."""


def code_of(name: str) -> str | None:
    """Return the emoji's code, without skin tone; None if the name is unknown."""
    name = name.partition("::")[0]
    return name_to_code().get(name) or _OTHER_NAMES.get(name)
