"""Stripe: events of customers, subscriptions, invoices, charges, disputes and payouts."""

from collections.abc import Mapping
from typing import Final

from server_lite.integrations.integration import Delivery, Integration, Posted, Unsupported
from server_lite.integrations.payload import Payload
from server_lite.integrations.signatures import timestamped
from server_lite.markup.untrusted_text import link, plain

_NOUNS: Final[Mapping[str, str]] = {
    "charge": "Charge",
    "charge.dispute": "Dispute",
    "charge.refund": "Refund",
    "checkout.session": "Checkout session",
    "customer": "Customer",
    "customer.subscription": "Subscription",
    "invoice": "Invoice",
    "payment_intent": "Payment",
    "payment_method": "Payment method",
    "payout": "Payout",
    "refund": "Refund",
    "setup_intent": "Setup",
    "transfer": "Transfer",
}
_PATHS: Final[Mapping[str, str]] = {
    "Charge": "payments",
    "Payment": "payments",
    "Customer": "customers",
    "Subscription": "subscriptions",
    "Invoice": "invoices",
    "Payout": "payouts",
    "Dispute": "disputes",
}
"""Path of an object of this kind in the dashboard."""
_SIGNS: Final[Mapping[str, str]] = {
    "succeeded": ":check: ",
    "paid": ":check: ",
    "payment_succeeded": ":check: ",
    "failed": ":cross_mark: ",
    "payment_failed": ":cross_mark: ",
    "past_due": ":warning: ",
}
_AMOUNTS: Final = ("amount", "amount_due", "amount_total")
_NO_CENTS: Final = frozenset(
    [
        "bif",
        "clp",
        "djf",
        "gnf",
        "jpy",
        "kmf",
        "krw",
        "mga",
        "pyg",
        "rwf",
        "ugx",
        "vnd",
        "vuv",
        "xaf",
        "xof",
        "xpf",
    ]
)
"""Currencies with amounts in whole units; others are in hundredths."""
_THOUSANDTHS: Final = frozenset({"bhd", "jod", "kwd", "omr", "tnd"})


def _post(delivery: Delivery) -> Posted:
    payload = delivery.payload
    kind = payload.text("type")
    noun_of, _, action = kind.rpartition(".")
    if noun_of not in _NOUNS:
        raise Unsupported(kind)
    noun, row = _NOUNS[noun_of], payload.at("data", "object")
    number = row.text("id")
    did = plain(action.replace("_", " "))
    object_link = link(f"{noun} {number}", _address(noun, number, is_live=payload.flag("livemode")))
    amount = _amount(row)
    name = row.maybe_text("email") or row.maybe_text("customer_email")
    more = [part for part in (amount, plain(name)) if part]
    reason = row.maybe_text("failure_message") or row.maybe_text("reason")
    why = f": {plain(reason)}" if reason else "."
    about = f" ({', '.join(more)})" if more else ""
    return Posted(
        event=kind,
        topic=_customer(noun, row) or f"{noun.lower()}s",
        content=f"{_SIGNS.get(action, '')}{object_link}{about} {did}{why}",
    )


def _customer(noun: str, row: Payload) -> str:
    """Return the customer's ID, which makes a topic per customer; it may be an expanded object."""
    if noun == "Customer":
        return row.text("id")
    if isinstance(row.value.get("customer"), dict):
        return row.text("customer", "id")
    return row.maybe_text("customer")


def _address(noun: str, number: str, *, is_live: bool) -> str:
    path = _PATHS.get(noun)
    if path is None:
        return ""
    return f"https://dashboard.stripe.com/{'' if is_live else 'test/'}{path}/{number}"


def _amount(row: Payload) -> str:
    """Return the amount: `12.50 EUR`."""
    field = next((name for name in _AMOUNTS if row.has(name)), None)
    if field is None or not row.has("currency"):
        return ""
    amount, currency = row.number(field), row.text("currency")
    places = 0 if currency in _NO_CENTS else 3 if currency in _THOUSANDTHS else 2
    whole, rest = divmod(abs(amount), 10**places)
    formatted = f"{whole:,}.{rest:0{places}}" if places else f"{whole:,}"
    return f"{'-' if amount < 0 else ''}{formatted} {plain(currency.upper(), 10)}"


STRIPE: Final = Integration(
    name="stripe",
    display_name="Stripe",
    post=_post,
    events=tuple(f"{noun}.*" for noun in _NOUNS),
    verify=timestamped("Stripe-Signature"),
    delivery_id=lambda delivery: delivery.payload.maybe_text("id"),
)
