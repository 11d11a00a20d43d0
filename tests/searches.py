"""Searches with texts that they match or not: one table for the server's index and the client's archive."""

from typing import Final

SEARCHES: Final = [
    # Stems
    ("plans", "a hidden plan", True),
    ("plan", "he planned it", True),
    ("mentioning", "a mention of it", True),
    ("stories", "Once upon a story", True),
    ("relational", "relate", True),
    ("plans", "a planet", False),
    # Stop words
    ("the plan", "a hidden plan", True),
    ("the plan", "the garden", False),
    ("the", "the garden", True),
    ("the", "a garden", False),
    ("to be", "To be, or not", True),
    ('"the plan"', "a hidden plan", False),
    # Phrases
    ('"hidden plan"', "a hidden plan", True),
    ('"plan hidden"', "a hidden plan", False),
    ('"hidden plan', "hidden, plan", True),
    ("e-mail", "by E-Mail today", True),
    # Prefixes
    ("teap", "a teapot", True),
    ("te", "a teapot", False),
    ("pot", "a teapot", False),
    # Case and accents
    ("CAFE", "the café", True),
    ("naïve", "NAIVE", True),
    # Signs
    (":)", "well :) then", True),
    (":(", "well :) then", False),
    ("plan :)", "plans :)", True),
    # Scripts without spaces
    ("红茶", "我喜欢红茶和咖啡", True),
    ("喜欢红", "我喜欢红茶和咖啡", True),
    ("红喜", "我喜欢红茶和咖啡", False),
    ("コーヒー", "朝のコーヒーです", True),
    ("会議", "午後の会議はABCで", True),
    ("abc", "午後の会議はABCで", True),
    ("회의", "회의를 오후에 합니다", True),
    ("กาแฟ", "ฉันชอบกาแฟร้อน", True),
    ("ชาเย็น", "ฉันชอบกาแฟร้อน", False),
    ('"红茶 咖啡"', "红茶咖啡", True),
]
"""(search, text, whether it matches)."""
