"""Words that a question is asked with, by language: an answer need not hold them.

Beside the function words these are verbs and nouns of asking itself: `does anybody know`, `wer braucht`,
`chi ha quel`. They find documents like any word, but that one is missing is no sign that the answer is. A
listed word stands for its inflections, by the stemmer of its language; one with `!` stands for itself alone,
since other words share its stem (`fehlen` and Fehler, `стать` and статья).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from gate.stores.reference import stems
from gate.stores.reference.function_words import BY_LANGUAGE, ENGLISH, ENGLISH_TOO
from gate.stores.reference.scripts import without_accents

_ENGLISH = "en"
_ALONE = "!"
_LISTS = {
    _ENGLISH: """
        actually already anybody anyone anything anyway anywhere! ask become came cannot! come did done else
        ever everybody everyone exactly find forget forgot forgotten gave! get give given! go goes! going gone
        got happen hear! heard! knew! know known let like look made make many may! mean! meant! mention might
        much must need never nobody now please really remember said same say see seen! shall somebody someone
        something somewhere! still! take taken tell thing think told took use used want wants went whatever yet
    """,
    "de": """
        allen aller bekam bekommen bitte bleiben bleibt brachte brauchen! braucht bringen damals darf denken
        denkt dran dürfen eben! eigentlich einmal erinnern erwähnen finden findet fragen gab! geben geblieben
        gebraucht gehen geht gehören! gehört genau! gerade gesagt gewesen ging habt hast! heißen! heißt holen
        hätte immer irgendwas! irgendwer! irgendwie! irgendwo jemand jetzt kam kannst! kennen kennt kommen kommt
        konnte könnte lassen liegen liegt machen macht mag! mal! manche mehr mochte musste möchte müsste nehmen
        niemand nimmt nützen! nützt passieren passiert reden! sagen! sagt sagte schauen! sehen seid sicher!
        sieht sollte sonst sprechen! stecken! steckt stehen steht suchen! tun tut unseres viel viele vielleicht
        warst was weiß wenig weshalb! wieso! wieviel! will wirklich wissen wobei! wodurch! wollen! wollt wollte
        wollten womit woran worauf worin wovon wozu wusste würde zeigen! zurzeit
    """,
    "fr": """
        aller alors appeler! appelle! apporter! arriver arrivé! aucun auquel! aura autre avaient avait avant
        avoir beaucoup besoin bien! cela celui! chercher chose combien connaît connaître croire demander! depuis
        devrait! dire disait dit dois! doit doivent duquel! déjà encore eu faire fait faites faut! font ici
        jamais laisser lesquelles maintenant! mettre mis! moment montrer! ont oublier parler! passer! penser!
        peut peuvent peux plaît plus pourrait! pourriez! pouvez! pouvoir! prendre pris! quelqu quelque quelques
        rien sait savent savez! savoir seront sert servir sommes! souvenir suis toujours tous tout toute toutes
        trouve trouver va vas veulent veut vient voir vont voudrait voulez! vouloir vraiment vu! ça
    """,
    "es": """
        acordar! acuerda! adónde! ahora algo alguien algunos! aquellas aquello aquellos aquí! buscar cada creer!
        cuyo dar debe deber decir! dejar dice dicen dijo dio encontrar encuentra entonces! esas esos estaba
        estamos estar estoy están existe! falta! haber habrá había habían hace hacen hacer haces hago hecho!
        hemos hizo ir jamás llama! llamar! llevar luego mismo momento mucha muchas mucho muchos nadie necesita
        necesitar ningún! nunca ocurrir olvidar otra otro pasa! pasar! pasó! pedir! pensar poder! podría! poner
        preguntar pude puede pueden puedo queda quedar querer quiere quieren quiso recordar! sabe saber sería
        siempre sirve somos sé tenemos tener tengo! tenía tienen! tienes! todas todo todos trae traer unas! usar
        va vamos van ver vez vio visto! volver
    """,
    "it": """
        abbia abbiamo adesso alcuni allora altra altro ancora andare avere avete aveva bene! bisogna bisogno
        capitare cercare! certo chiamare! chiedere conoscere cos! credere! dall! dare deve devo! devono dice
        dimenticare dire dov dovere dovrebbe fa facciamo fanno far! fare! fatto già hai mai manca messo! mettere
        molta molte molti molto momento nell! nessuno niente occorre ogni ora parlare! passare! pensare piacere
        poi possiamo posso! possono potrebbe prendere preso! proprio può qual! qualche qualcosa qualcuno quand!
        quegli quei quel quell quella quelle questi! ricordare rimanere sa sai sanno sapere sapete sarebbe sarà
        serve servire siamo siete succede succedere sull! tenere tiene trova trovare tutta tutte tutti tutto
        usare va vanno vedere venire! viene visto! vogliamo vogliono volere! voleva! vorrei! vuole
    """,
    "pt": """
        acha achar acontecer aconteceu agora ainda algo algum alguma algumas alguns alguém anda aonde! aquela
        aquelas aquele aqueles aquilo cada cadê! chamar! conhecer! costuma! dar deixar dessa desse desta deste
        deve dever disse disso diz dizer encontrar! então essas esses estar estava estavam esteve estou existe!
        faz fazem fazer feito fez fica ficar ficou gostaria! havia houve ir isso lembrar mesmo momento muita
        muitas muitos nada! naquela naquele nessa nesse nesta neste ninguém nunca outra outro parece! passar!
        pedir! pegar! pensar pode podem poderia! posso! pra! precisa precisar pôr quer querem querer sabe sabem
        saber sei sempre ser serve servir será temos tenho! ter tinha tinham toda todas todo todos tudo umas!
        uns! usar vai vamos ver vez vir viu vão
    """,
    "ru": """
        будет буду будут бывать были быть! весь взять! видел видеть вместе возьмет говорил говорили говорить
        давать делали делать дело! думать есть ждать забыть звать знаем знает знать значит знаю зовут иметь
        искать казаться какими каких каков! какому кем! которого! куда лежит мог могут можем может можно! моё
        надо найти напомнить находиться нашёл нельзя! нибудь! никто нужен нужна нужно нужны один одна опять
        остаться отчего! очень подскажите! показать пользоваться помнит помнить понять попросить почём
        происходить прямо! раз разве! рассказать сделать сейчас скажите! сказал сказать собой стоит! столько
        стоят! твой тебе теперь тобой тогда только узнать хотел хотеть хотят хочет хочу чему чьей чьему чьи чьим
        чьих чём
    """,
    "tr": """
        acaba aldı aldık aldın almak alır alıyor anlamak anlar anlıyor bakan! bakmak baktı! bakıyor! bana bazen
        başka! bilen bilir biliyor bilmek biri birisi buldu buldun bulmak bulunur burada böyle dedi demek denir
        diye diyor eder edildi edilir edilmek edin etmek etti! ettik! ettin! fazla geldi! geldik! gelen! gelir!
        gelmek gerek! gerekir gerekiyor gerekli getirmek gitmek gitti gördü göre görmek hangisi hatırlamak
        herkes hiçbir hâlâ ihtiyaç istemek ister istiyor kaldı kalmak kaçta! kimde kimden kimse konuşmak koydu!
        koymak kullanmak kullanıyor lazım! lütfen! midir! misin! miyim! mudur! mümkün mıdır! mısın! neler nerde
        neresi neyin! olabilir! olacak olmak olmuş olur oluyor orada! sana sanmak sormak söyledi söylemek tane!
        unutmak verdi! verdik! verdiler! verdim! veren! verir veriyor! vermek yapmak yaptı yaptık yapıldı
        yapılır yapıyor zaman önce şimdi şu şöyle
    """,
    "fi": """
        aina annettiin annoimme antaa! antoi eikö! enemmän enää haluaa halusi he heistä heitä hetkellä hänelle
        hänellä ihan jokin joku jollain joskus jossain jäi jäädä kai kaikki kannattaa katsoa! kauan kehen kelle
        keneen! kenellä kenen kerran kertoa kertoi koskea! kuka kumman! kumpi! kuulua kuuluu kuuluvat käydä
        käyttää laittaa luona löysi löytyy löytyä mainita meni mennä miettiä miksi millainen millaiset millaisia
        millaista minkälainen! minne missäpäin! moni monta montako! muistaa! muistatko! muu muut niihin niistä
        nyt olemme oletko olimme olisi olleet ollut onko ottaa otti paljon paljonko pidetään pitäisi pitää puhua
        puhui pystyä pyysi pyytää saa saada saadaan saako saanko! sai saimme saivat sanoa sanoi siellä sitten
        taas tapahtua tarvita! tarvitaan tarvitsee tehdä tehdään tehtiin teki tiedätkö tiesi tietää toi toivat
        tulee tulla tuoda tätä unohtaa vaikka vei viedä vielä voidaan voiko voimme voinko! voisiko!
    """,
    "nl": """
        alles altijd beetje ben bent blijft blijven brengen deed denken doen doet eigenlijk ergens! gaan gaat!
        geeft geen! geven gezegd ging graag hadden halen hebt heten hier hoelang! iedereen iemand iets kennen
        kent komen komt kon konden kunnen kunt kwam laten liggen ligt mag! maken moet moeten mogen niemand nodig
        onthouden precies staan staat! steeds! vinden vindt vragen waarheen! waarin! waarmee! waarop! waarvan!
        waarvoor weet! weten! wiens! wil wilde! willen wist worden zeggen zegt zei zien zit zitten! zoeken
        zouden!
    """,
    "sv": """
        alltid använda! behöva! behöver berätta bli borde! brukar! fanns! fick! finna! finns frågar få gav! ge
        ger gick gjorde gå går gör göra heta! heter hette! hitta hittar hurdan! hämta ingen inget just kanske
        kom komma! kommer kunde! kunna! känner! ligga ligger låta! mena minnas! minns! måste nog någonstans!
        någonting nån! nåt! också sa sade! sagt se ser skall! skulle stå står säger ta tala! tar tog tror
        varifrån! vet veta! vilja vill! ville! visste
    """,
    "pl": """
        były będzie będą chce chciał chcieć chcą czego! czemu! czyj czyja czyje czym! dać dał! dokąd! dostać
        gdzieś ilu! iść jakich jakiego jakieś jakimi kim! kimś komuś ktokolwiek ktoś którzy! leży mam! mamy!
        miał mieliśmy mieć mnie! mogą możesz! musi myśleć mówić mówił nasz nasza nasze naszego naszej nic! nikt
        pamięta pamiętać potrzebny potrzebować potrzebuje powiedział powiedzieć prosić pytać robi robimy robić
        skąd! stać stało! stoi szukać teraz trzeba widzieć wie wiedzieć! wiemy wziąć wziął zna znaleźć znać
        zostać zrobić
    """,
    "da": """
        altid bliver burde dit! fik finde findes fordi! fortælle få gik give giver gjorde gå går gør gøre hedder
        hente huske husker hvis! hvorfra! hvorhen! ingen kender kom komme kommer kunne ligger! meget! mene mit!
        må nogen nogensinde! noget sagde se ser sige siger skulle stå står tror ved vidste ville vores!
    """,
    "nb": """
        alltid be burde deg! ditt! enn! fikk finnes fortelle ga! gi gikk gjorde gjør gjøre gå går hente heter
        huske husker hvis! hvorfra! ingen kjenner kom komme kommer kunne la ligger meg! mene mitt! mye! må noe
        noensinne! sa se ser si sier skulle snakke stå står ta tar tok tror vet ville! visste vite
    """,
}
_LANGUAGES = {_ENGLISH: ENGLISH, **BY_LANGUAGE}


def languages_asked_in(words: Iterable[str]) -> tuple[str, ...]:
    """The languages that a question may be in, by the most of its words (folded) that are little in one.

    Accents are often left out in asking, and short questions hold words that two languages share: all that are as
    likely count.
    """
    distinct = frozenset(words)
    said = {lang: _said(distinct, lang) for lang in _LANGUAGES}
    most = max(said.values())
    return tuple(lang for lang, count in said.items() if count == most) if most else (_ENGLISH,)


@lru_cache(maxsize=1 << 14)
def asks(word: str, languages: tuple[str, ...]) -> bool:
    """Whether a folded word is one that questions in one of the languages are asked with."""
    return any(word in _exact(lang) or _stem(word, lang) in _stems(lang) for lang in languages)


def _said(words: frozenset[str], lang: str) -> int:
    """How many of the words are little in a language; none where English has them all too."""
    little = words & _exact(lang)
    return 0 if lang != _ENGLISH and little <= ENGLISH_TOO else len(little)


@cache
def _exact(lang: str) -> frozenset[str]:
    """The listed words, as they are written and as they are typed without accents: never another word with accents."""
    known = [*_LANGUAGES[lang], *(word.rstrip(_ALONE) for word in _listed(lang))]
    return frozenset(form for word in known for form in (word, without_accents(word)))


@cache
def _stems(lang: str) -> frozenset[str]:
    inflected = [word for word in _listed(lang) if not word.endswith(_ALONE)]
    return frozenset(_stem(form, lang) for word in inflected for form in (word, without_accents(word)))


def _listed(lang: str) -> list[str]:
    return _LISTS.get(lang, "").replace("ß", "ss").split()


def _stem(word: str, lang: str) -> str:
    """The stem by the language's own algorithm, or by that of its script; the word where there is none."""
    return (stems.stem_terms(word, tuple(filter(None, (stems.extra_language(lang),)))) or (word,))[-1]
