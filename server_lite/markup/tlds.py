"""Top-level domains that make `word.tld` an address without `http://`. Data only.

Endings that are more often a file's (`main.py`, `readme.md`, `run.sh`, `lib.rs`) are left out on
purpose; such an address needs its scheme.
"""

from typing import Final

_WORDS: Final = """
    ac ad ae af ag ai al am ao aq ar at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt
    bw by bz ca cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er
    es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr
    ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li
    lk lr ls lt lu lv ly ma mc me mg mh mk mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf
    ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr pt pw qa re ro ru rw sa sb sc sd se
    sg si sk sl sm sn sr ss st su sv sx sy sz tc td tg th tj tk tl tm tn to tr tt tv tw tz ua ug
    uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw academy aero agency app art asia band
    beer berlin bike biz blog buzz cafe camp capital care casa cash chat church city cloud club
    codes coffee com community company consulting coop cool dance day design dev digital dog
    earth edu education email energy eus events expert family farm finance fit foundation fun
    fund gal games garden global gmbh gov green group guide guru health help host hosting house
    info ink institute int international jobs kim kitchen land law legal life link live london
    ltd market marketing media mil mobi moe money museum name network news ninja one online org
    page partners party photo photography photos pizza place plus press pro pub radio realty
    rent repair report rest review reviews rip rocks run school science scot security services
    shop show site social software solutions space store studio style support systems team tech
    technology tips today tools top tours town toys training travel university ventures video
    vip vote wang watch website wedding wiki win wine work works world wtf xyz yoga zone net рф
    xxx cat tel post arpa
"""

TOP_LEVEL_DOMAINS: Final = frozenset(_WORDS.split())
