"""Where code blocks can be tried. Pure."""

from tui.api.model import PlaygroundId
from tui.api.organization import Playground
from tui.content.parse import parse
from tui.view import playgrounds


def test_code_leads_to_the_sites_of_its_language() -> None:
    """However the language is written; addresses that no browser takes are left out."""
    site = Playground(
        id=PlaygroundId(1), name="Play", pygments_language="Python", url_template="https://p/{code}"
    )
    old = Playground(
        id=PlaygroundId(2), name="Old", pygments_language="python", url_template="https://o/?c="
    )

    def block(code: str, language: str) -> str:
        opening = f'<div class="codehilite" data-code-language="{language}">'
        return f"{opening}<pre><span></span><code>{code}\n</code></pre></div>"

    links = playgrounds.links([site, old], parse(block("a b", "Python") + block("c", "Rust")))
    assert [each.href for each in links] == ["https://p/a%20b", "https://o/?c=a%20b"]
    assert playgrounds.links([site], parse(block("x" * 9000, "Python"))) == []
