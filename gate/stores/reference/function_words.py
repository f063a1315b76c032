"""Words that say little, by language: a question is not about them, and they tell which language a text is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gate.models.hashed import FUNCTION_WORDS
from gate.stores.reference.scripts import is_latin

ENGLISH = FUNCTION_WORDS

_LISTS = {
    "de": """
        aber alle als am an auch auf aus bei beim bin bis bist da damit dann das dass daß dein deine dem den denn der
        des die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas euch
        euer eure für gegen gibt hab habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
        in ins ist ja jede jedem jeden jeder kann kein keine keinen können man mein meine meinem meinen meiner mich mir
        mit muss müssen nach nicht noch nur ob oder ohne schon sein seine seinem seinen seiner seit sich sie sind so
        soll sollen über um und uns unser unsere unserem unseren unserer unter vom von vor wann war waren warum was
        weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder wir wird wo wofür woher
        wohin worum wurde wurden zu zum zur zwischen
    """,
    "fr": """
        à au aux avec ce cela ces cet cette ceux chez comme comment d dans de depuis des dont du elle elles en entre es
        est et été être eu il ils j je l la laquelle le lequel les lesquels leur leurs lui m ma mais me mes moi mon n ne
        nos notre nous on ont où ou par pas pendant pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa
        sans se sera ses si son sont sous sur t ta te tes toi ton tu un une vers vos votre vous y était a ai as avait
        avons avez combien
    """,
    "es": """
        a al algo algún alguna ante aquel aquella aún como cómo con contra cuál cuáles cuando cuándo cuánta cuántas
        cuánto cuántos de del desde donde dónde dos el él ella ellas ellos en entre era es esa ese eso esta está están
        este esto estos fue fueron ha han hasta hay la las le les lo los más me mi mis muy nada ni no nos nosotros
        nuestra nuestras nuestro nuestros o para pero por porque qué que quién quien quiénes se sea ser si sí sin sobre
        son su sus también te tiene tu tus un una uno unos y ya yo
    """,
    "it": """
        a ad agli ai al alla alle allo anche c che chi ci col come con cosa cui d da dagli dai dal dalla dalle dallo
        degli dei del della delle dello di dove e è ed era erano essere fra gli ha hanno ho i il in io l la le lei li lo
        loro lui ma mi mia mie miei mio ne negli nei nel nella nelle nello noi non nostra nostre nostri nostro o per
        perché più quale quali quando quanta quante quanti quanto quello questa queste questi questo se sei si sia sono
        sta stata stato su sua sue sugli sui sul sulla sulle suo suoi ti tra tu tua tuo un una uno vi voi
    """,
    "pt": """
        a à ao aos as às até com como da das de dela dele depois do dos e é ela elas ele eles em entre era eram essa
        esse esta está estão este eu foi foram há isso isto já lhe mais mas me meu meus minha minhas muito na nas não
        nem no nos nós nossa nossas nosso nossos num numa o onde os ou para pela pelas pelo pelos por porque qual quais
        quando quanta quantas quanto quantos que quê quem se sem ser seu seus sob sobre sua suas são também te tem têm
        tinha um uma você vocês
    """,
    "ru": """
        а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же
        за зачем здесь и из или им их к как какая какие каким какого какое какой какую когда ко кого кому который
        которая которое которые кто ли мне мой моя мы на над нам нас наш наша наше наши не него нее неё нет ни них но о
        об он она они оно от откуда по под почему при про с сколько со так там то тоже тот ту ты у уже чего чей чем что
        чтобы чье чьё чья эта эти это этого этой этом этот эту я куда
    """,
    "tr": """
        ama ancak bana bazı ben beni benim bir biz bize bizi bizim bu bunlar bunu bunun çok da daha de değil en gibi
        hangi hangisi hem her hiç için ile ise kadar kaç ki kim kime kimi kimin kimler mi mı mu mü nasıl ne neden nedir
        nerede nereden nereye neler niçin niye o olan olarak oldu olduğu olur ona onlar onu onun sen senin siz sizin
        sonra şey şu tüm var ve veya ya yok
    """,
    "fi": """
        ei eivät en eli emme entä että ette he heidän hän hänen itse ja jo joka jos josta jotka kanssa keiden keneltä
        kenelle kenen kenet kenessä kenestä ketkä ketä koska kuin kuinka kuka kun me meidän meille meillä meiltä meitä
        mihin mikä mikäli miksi milloin millainen millä millään minkä minua minun minulla minä missä mistä miten mitkä
        mitä mukaan mutta myös ne niiden niin niitä nyt nämä näiden näitä oli olivat olla ole olen on ovat se sekä sen
        siellä siinä siitä sitä sinä sinun tai te teidän tuo tämä tämän tässä tästä tätä vaan vai vain voi
    """,
    "vi": """
        ai bao bằng bên các cái cần chỉ cho chưa có còn của cùng cũng đã đang đâu đây đến đều đi để đó do được gì giờ
        hay hoặc hơn khi không là lại lên lúc mà mấy mỗi này nào nên nếu ngày nhiêu những như nhưng ở phải qua ra rằng
        rất rồi sao sau sẽ tại thế theo thì trên trong từ và vào vẫn về vì với vừa
    """,
    "nl": """
        aan al als bij dan dat de deze die dit door een en er had heb hebben heeft hem het hij hoe hoeveel hun ik in is
        ja je jij jullie kan maar me meer met mijn na naar niet nog nu of om omdat ons onze ook op over te ten toen tot
        uit van veel voor waar waarom wanneer waren was wat we welk welke werd wie wij worden wordt zal ze zich zij zijn
        zo zonder zou
    """,
    "sv": """
        alla att av blev bli då de dem den denna deras dess det detta dig din ditt du där efter eller en er ett för från
        ha hade han har hennes hon hos hur här i icke inte ja jag kan man med mellan men mig min mina mot mycket ni
        någon något några nu när och om oss på samma sedan sig sin sina ska som till under upp ut utan vad var vara
        varför varje vars vem vems vi vid vilka vilken vilket våra vår vårt är
    """,
    "pl": """
        a albo ale ani bardzo bez bo by być był była było były co czego czy czyli czym dla dlaczego do gdy
        gdzie go i ich ile im ja jak jaka jaki jakie jakiej jakim jako je jednak jego jej jest jestem
        jeszcze jeśli już każdy kiedy kim kogo komu kto która które którego której który których którym
        którzy którą lub ma mają mi między mnie może można na nad nich nie nim niż o od on ona oni oraz po
        pod ponieważ przed przez przy się skąd są ta tak także tam te tego tej ten to tu tych tylko tym tę w
        we więc wszystkie z za ze że żeby
    """,
    "cs": """
        a aby ale ani asi až bez bude budou by byl byla byli bylo být co což do ho i jak jako jaká jaké jaký
        je jeho jej jejich její jen jestli ještě již jsem jsi jsou jste k kam kde kdo kdy kdyby když ke koho
        kolik komu kterou která které který kterých kteří lze ma mají mezi mi mu má může na nad nebo není
        než o od odkud on ona oni pak po pod podle pokud pro proto protože proč před přes při s se si sice
        své svůj ta tak také tam tato ten tento to tom toto tu ty té u už v ve více však všechny z za zda ze
        čeho čem či čím že
    """,
    "hu": """
        a aki alatt amely ami annak arra az azok azt be csak de egy el ennek ez ezek ezt fel ha hogy hogyan
        hol honnan hova hová hány ide illetve is itt kell ki kik kinek kit kivel között le lehet majd meddig
        meg mekkora mely melyik mennyi mert mi miből mikor milyen minden mint mire mit miért mióta most már
        még nagyon neki nem nincs olyan ott pedig sem szerint több után vagy valamint van vannak volt voltak
        által és ő ők
    """,
    "fa": """
        آن آنها آیا از است اما او اگر ای این با باید بر برای به بود بودند بین تا خود دارد دارند در دیگر را
        شد شده شما شود می نیز ها های هر هستند هم همه و وی پس پیش چرا چند چه چگونه کجا کدام کرد کردن کند کنند
        که یا یک چطور چقدر چیست کیست کی چی کجاست من ما نیست
    """,
    "da": """
        af alle anden at blev bliver da de dem den denne der deres det dette dig din dit du efter eller en
        er et for fordi fra få før ham han har havde hende hendes her hun hvad hvem hver hvilke hvilken
        hvilket hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer kan kun man med meget mellem men mere
        mig min mit mod ned nogle nu når og også om op os over på sig sin sine skal som så til ud under var
        ved vi vil vores være været
    """,
    "nb": """
        alle at av bare ble bli blir da de deg dem den denne der deres det dette din ditt du eller en enn er
        et etter for fra få før hadde ham han har hennes her hun hva hvem hver hvilke hvilken hvilket hvis
        hvor hvordan hvorfor i ikke inn jeg kan man med meg mellom men mer mitt mot mye ned noe noen nå når
        og også om opp oss over på seg sin sine skal som så til under ut var ved vi vil vår være vært
    """,
    "ro": """
        a această acest ai al ale am ar are au ca care ce cea cei cel cele cine cu cui cum când cât câte
        câtă câți că da dacă dar de deci decât despre din dintre după ea ei el ele era este eu ești fi fie
        fost fără i iar la lor lui mai mă ne nici noi nu o or ori pe pentru peste prin printre sale sau se
        spre sub sunt să te toate tot toți trebuie un una unde unei unor unui unul va vor îi îl îmi în
        înainte între și
    """,
    "ca": """
        a abans al als alguns altres amb aquell aquella aquest aquesta aquestes aquests així això cada cal com
        cap d de del dels des després doncs durant el ell ella elles ells els em en encara entre era eren es
        està fins ha han havia hi i jo ja l la les li lo meu més mentre molt molts ni no nosaltres o on on
        per però perquè poc pot poden qual quals qualsevol quan quant quanta quantes quants que quin quina
        quines quins què qui s se sense ser ses seu seus seva seves si sobre són també tan tot tota tots
        totes un una unes uns us va van vostre vostra vós
    """,
    "id": """
        ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa banyak beberapa belum
        berapa bila bisa bukan dalam dan dapat dari dengan di dia hanya harus hingga ia ini itu jika juga
        kami kapan karena kau ke kepada ketika kita lain lalu lebih maka mana mengapa mereka namun oleh pada
        para pernah saat saja sampai sangat saya secara sebagai sebelum sebuah sedang sejak selain semua
        seorang seperti serta setelah setiap siapa suatu sudah tanpa telah tentang tersebut tetapi tidak
        untuk yaitu yang
    """,
    "lt": """
        ant apie ar arba aš bei bet bus buvo būti dar dėl dėl gali iki ir iš į jau jei ji jie jis jo jos jų
        jūs jūsų kad kada kai kaip kam kas ką kiek kodėl kokia kokie koks kur kuri kuriame kurie kurio kurios
        kuris kurių kuo labai mano mes mūsų ne nei nes nuo o pagal per po prie prieš savo su ši šio šios šis
        taip tačiau tada tai tarp tavo ten tik todėl tu už yra čia
    """,
    "et": """
        aga alates alla ei enne et ette iga ilma ja juba juures ka kas keda kelle kes koos kohta kui kuid
        kuidas kuhu kuni kus kust kõik läbi ma me meie mida miks mille milles millest milline millal mina mis
        mitu mõni nad nagu need nende nii ning nüüd ole oled olema oli olid olla olnud oma on palju pole
        poolt pärast saab sama see seda selle selles sellest selline sest siis siin sina ta te teie tema
        vahel veel võib või väga üle
    """,
    "eu": """
        arte artean asko baina baino baita bat batean batek baten batzuk behar bere beren beste bezala da
        dago daude dela den dira diren direla ditu dituen dituzte du duen dute duten edo egon ere eta ez gabe
        gu gure guzti guztiak haiek hala hau hauek hemen honek honen hori horiek horrek horren hura izan
        lehen ni nik nire nola non nondik noiz nor nora nork oso ondoren zein zen zenbat zer zergatik zituen
        zituzten ziren zu zuek zuen zure zuten
    """,
    "ga": """
        a ach acu ag againn agam agat agus aici aige air an ann ar as bhfuil bhí cad cá cathain cé céard cén
        chun conas dá dar de den do don eile faoi féin fáth gach gan go gur i idir ina is le leis leo léi má
        mar mé mo muid na nach ní níl nó nuair ó ón orthu raibh roimh sa san sé seo sí siad sin sinn tá tar
        trí tú uile
    """,
}
# A text whose distinct words hold a smaller share of a language's function words than this, and fewer than so many,
# only quotes that language.
RARE, MANY = 0.05, 10
BY_LANGUAGE: Mapping[str, frozenset[str]] = {lang: frozenset(words.split()) for lang, words in _LISTS.items()}

# Words of these lists that English has with another meaning: alone they do not tell that a text is not English.
ENGLISH_TOO = frozenset(
    [
        "a",
        "ad",
        "ale",
        "am",
        "an",
        "ani",
        "ante",
        "as",
        "at",
        "bin",
        "bra",
        "care",
        "cat",
        "come",
        "comment",
        "con",
        "dan",
        "dare",
        "deed",
        "den",
        "dice",
        "die",
        "dig",
        "dire",
        "do",
        "door",
        "dove",
        "era",
        "far",
        "fare",
        "fel",
        "fie",
        "font",
        "for",
        "go",
        "gore",
        "ha",
        "had",
        "ham",
        "has",
        "hat",
        "he",
        "hem",
        "her",
        "hun",
        "i",
        "in",
        "inn",
        "is",
        "kim",
        "kit",
        "la",
        "lad",
        "le",
        "mag",
        "mai",
        "man",
        "me",
        "men",
        "met",
        "mint",
        "mis",
        "mod",
        "mot",
        "no",
        "nu",
        "of",
        "on",
        "os",
        "over",
        "par",
        "pas",
        "per",
        "plus",
        "pod",
        "pour",
        "pro",
        "saga",
        "sale",
        "se",
        "ser",
        "sera",
        "she",
        "si",
        "sin",
        "siz",
        "so",
        "solo",
        "son",
        "star",
        "sub",
        "sue",
        "tale",
        "tam",
        "tar",
        "ten",
        "till",
        "tog",
        "ton",
        "tot",
        "tu",
        "tun",
        "un",
        "under",
        "us",
        "van",
        "vet",
        "vide",
        "war",
        "ware",
        "was",
        "we",
        "wist",
        "ya",
        "yok",
        "zit",
    ]
)


def language_of(words: Iterable[str], home: str = "") -> str:
    """Which language a text is in, by its function words (case folded); empty where English or nothing wins.

    Words that English has too count only beside others that it has not, and few among many words count for nothing:
    they are quoted, as are Latin ones where most words are in another script. `home` is the language that the text
    is in unless it tells of another one.
    """
    distinct = frozenset(words)
    enough = min(len(distinct) * RARE, MANY)
    best, most = "", len(distinct & ENGLISH)
    at_home = len(distinct & BY_LANGUAGE.get(home, frozenset()))
    if home and at_home >= most:
        best, most = home, at_home
    for lang, words_of_it in BY_LANGUAGE.items():
        said = distinct & words_of_it
        if len(said) > most and len(said) >= enough and not said <= ENGLISH_TOO:
            best, most = lang, len(said)
    return home if best != home and _quoted(distinct, best) else best


def _quoted(words: frozenset[str], lang: str) -> bool:
    """Whether words of a language of Latin script are quoted in a text of another: names of files are, as `/var`."""
    latin = [is_latin(word) for word in words if not word[0].isdigit()]
    return any(map(is_latin, BY_LANGUAGE.get(lang, ()))) and 2 * sum(latin) < len(latin)
