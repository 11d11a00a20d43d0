"""Quotations of messages, as Markdown for the composer. Pure."""

from tui.view.rows import MessageRow


def quote(row: MessageRow, markdown: str, link: str) -> str:
    """Return a quotation of a message in Markdown, with its sender and a link to it."""
    fence = "```"
    while fence in markdown:
        fence += "`"
    name = row.sender.replace("*", "").replace("|", "")
    return f"@_**{name}|{row.sender_id}** [said]({link}):\n{fence}quote\n{markdown}\n{fence}\n\n"
