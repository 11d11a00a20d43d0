"""Languages that users can choose for their clients, by tag. The server itself speaks English only."""

from collections.abc import Mapping
from typing import Final

LANGUAGES: Final[Mapping[str, str]] = {
    "ar": "العربيّة",
    "be": "Беларуская",
    "bg": "български",
    "bn": "বাংলা",
    "ca": "català",
    "cs": "česky",
    "cy": "Cymraeg",
    "da": "dansk",
    "de": "Deutsch",
    "el": "Ελληνικά",
    "en": "English",
    "en-gb": "British English",
    "eo": "Esperanto",
    "es": "español",
    "et": "eesti",
    "eu": "Basque",
    "fa": "فارسی",
    "fi": "suomi",
    "fr": "français",
    "gl": "galego",
    "gu": "ગુજરાતી",
    "he": "עברית",
    "hi": "हिंदी",
    "hr": "Hrvatski",
    "hu": "Magyar",
    "id": "Bahasa Indonesia",
    "it": "italiano",
    "ja": "日本語",
    "ko": "한국어",
    "lt": "Lietuviškai",
    "lv": "latviešu",
    "ml": "മലയാളം",
    "mn": "Mongolian",
    "nb": "norsk (bokmål)",
    "nl": "Nederlands",
    "nn": "norsk (nynorsk)",
    "no": "norsk",
    "pl": "polski",
    "pt": "Português",
    "pt-br": "Português Brasileiro",
    "pt-pt": "Português de Portugal",
    "ro": "Română",
    "ru": "Русский",
    "si": "සිංහල",
    "sk": "Slovensky",
    "sl": "Slovenščina",
    "sq": "shqip",
    "sr": "српски",
    "sv": "svenska",
    "ta": "தமிழ்",
    "te": "తెలుగు",
    "th": "ภาษาไทย",
    "tl": "Tagalog",
    "tr": "Türkçe",
    "uk": "Українська",
    "uz": "O‘zbekcha",
    "vi": "Tiếng Việt",
    "yue": "廣東話",
    "zh-hans": "简体中文",
    "zh-hant": "繁體中文",
    "zh-tw": "台灣正體",
}
"""Names of the languages in themselves."""


def is_language(tag: str) -> bool:
    """Whether the tag is known; clients write `pt-br` or `pt_BR`."""
    return tag.lower().replace("_", "-") in LANGUAGES


def language_name(tag: str) -> str:
    """Return the name of a known language; else the tag itself."""
    return LANGUAGES.get(tag.lower().replace("_", "-"), tag)
