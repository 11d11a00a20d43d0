"""The nodes of a message as HTML for a page that runs and loads nothing. Pure: no I/O, no Textual.

The server's own HTML is not passed on: every tag here is written by this module, all text is escaped,
pictures are links, and a link is made only of a URL that a browser reads as it is shown.
"""

from collections.abc import Sequence
from html import escape as html_text
from typing import assert_never

from tui.content import nodes as n
from tui.content.extracts import inline_text, media_name
from tui.content.web import browsable, joined


def blocks_as_html(nodes: Sequence[n.BlockNode], site: str) -> str:
    """Return blocks as HTML; relative URLs are completed by `site`."""
    return "\n".join(_block(node, site) for node in nodes)


def link_as_html(href: str, inner: str, site: str) -> str:
    """Return `inner`, which is HTML, as a link; unchanged where the URL is not one of the web."""
    url = browsable(joined(site, href))
    if url is None:
        return inner
    return f'<a href="{html_text(url)}" rel="noopener noreferrer">{inner}</a>'


def _inlines(nodes: Sequence[n.InlineNode], site: str) -> str:
    return "".join(_inline(node, site) for node in nodes)


def _inline(node: n.InlineNode, site: str) -> str:
    match node:
        case n.Text(text=text) | n.Emoji(text=text) | n.Mistake(text=text):
            return html_text(text)
        case n.LineBreak():
            return "<br>"
        case n.InlineCode(text=text) | n.Math(tex=text):
            return f"<code>{html_text(text)}</code>"
        case n.Strong(children=children):
            return f"<strong>{_inlines(children, site)}</strong>"
        case n.Emphasis(children=children):
            return f"<em>{_inlines(children, site)}</em>"
        case n.Deleted(children=children):
            return f"<del>{_inlines(children, site)}</del>"
        case n.Inserted(children=children):
            return f"<ins>{_inlines(children, site)}</ins>"
        case n.Highlight(children=children):
            return f"<mark>{_inlines(children, site)}</mark>"
        case n.Link(href=href) | n.ChatLink(href=href):
            # A link in a link is no valid HTML: its text is kept.
            return link_as_html(href, html_text(inline_text(node.children)), site)
        case n.UserMention(text=text) | n.GroupMention(text=text) | n.WildcardMention(text=text):
            return f"<b>{html_text(text)}</b>"
        case n.CustomEmoji(name=name):
            return html_text(f":{name}:")
        case n.Time(text=text):
            return f'<time datetime="{html_text(node.at.isoformat())}">{html_text(text)}</time>'
        case n.Media():
            return link_as_html(node.href, html_text(f"[{media_name(node)}]"), site)
        case n.Unknown(children=children):
            return _inlines(children, site)
        case _:
            assert_never(node)


def _block(node: n.BlockNode, site: str) -> str:
    match node:
        case n.Paragraph(children=children):
            return f"<p>{_inlines(children, site)}</p>"
        case n.Heading(children=children):
            return f"<p><strong>{_inlines(children, site)}</strong></p>"
        case n.ListBlock(start=start, items=items):
            tag, opened = ("ul", "<ul>") if start is None else ("ol", f'<ol start="{start}">')
            inner = "".join(f"<li>{blocks_as_html(item, site)}</li>" for item in items)
            return f"{opened}{inner}</{tag}>"
        case n.Quote(children=blocks):
            return f"<blockquote>{blocks_as_html(blocks, site)}</blockquote>"
        case n.CodeBlock():
            return f"<pre><code>{html_text(node.text)}</code></pre>"
        case n.MathBlock(tex=tex):
            return f"<pre><code>{html_text(tex)}</code></pre>"
        case n.Spoiler(header=header, body=body):
            title = blocks_as_html(header, site) or "Spoiler"
            return f"<details><summary>{title}</summary>\n{blocks_as_html(body, site)}\n</details>"
        case n.Table():
            return _table(node, site)
        case n.Rule():
            return "<hr>"
        case n.Embed(href=href, title=title):
            return f"<p>{link_as_html(href, html_text(title or href), site)}</p>"
        case n.Media():
            return f"<p>{_inline(node, site)}</p>"
        case n.UnknownBlock(children=blocks):
            return blocks_as_html(blocks, site)
        case _:
            assert_never(node)


def _table(table: n.Table, site: str) -> str:
    def row(cells: Sequence[n.Cell], tag: str) -> str:
        written = (
            f'<{tag} class="{side}">{_inlines(cell, site)}</{tag}>'
            for side, cell in zip(table.alignments, cells, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    head = row(table.header, "th") if any(table.header) else ""
    return f"<table>{head}{''.join(row(cells, 'td') for cells in table.rows)}</table>"
