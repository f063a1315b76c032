"""Words that a question is asked with, by language: an answer need not hold them.

Beside the function words these are verbs and nouns of asking itself: `does anybody know`, `wer braucht`,
`chi ha quel`. They find documents like any word, but that one is missing is no sign that the answer is. A
listed word stands for its inflections, by the stemmer of its language.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from gate.stores.reference import stems
from gate.stores.reference.function_words import BY_LANGUAGE, ENGLISH
from gate.stores.reference.scripts import without_accents

_ENGLISH = "en"
_LISTS = {
    _ENGLISH: """
        actually already anybody anyone anything anyway ask become came come current currently did done else
        ever everybody everyone exactly find forget forgot forgotten get give go going gone got happen hear know
        known let like look made make many may mean mention might moment much must need never nobody now please
        really recall remember remind right said same say see shall somebody someone something still take taken
        tell thing think told took use used want wants went whatever yet
    """,
    "de": """
        allen aller bekam bekommen beschäftigen betreffen bitte bleiben bleibt brachte brauchen braucht bringen
        damals darf denken denkt dran dürfen eben eigentlich einmal erinnern erwähnen fehlen finden findet
        fragen gab geben geblieben gebraucht gehen geht gehören gehört genau gerade gesagt gewesen ging habt
        heißen heißt holen hätte immer irgendwo jemand jetzt kam kennen kennt kommen kommt konnte könnte lange
        lassen liegen liegt machen macht mag mal manche mehr mochte musste möchte müsste nehmen neu niemand
        nimmt nützen nützt passieren passiert reden sagen sagt sagte schauen sehen seid sicher sieht sollte
        sonst sprechen stecken steckt stehen steht suchen tun tut unseres viel viele vielleicht warst was weiß
        wenig will wirklich wissen wollen wollt wollte wollten womit woran worauf worin wovon wozu wusste wäre
        würde zeigen zurzeit
    """,
    "fr": """
        aller alors appeler appelle apporter arriver arrivé aucun aura autre avaient avait avant avoir beaucoup
        besoin bien cela chercher chose combien connaît connaître croire demander depuis dire disait dit doit
        doivent donner déjà encore eu faire fait faites faut font ici jamais laisser lesquelles maintenant
        mettre mis moment montrer ont oublier parler passer penser peut peuvent peux plaît plus pouvoir prendre
        pris quelqu quelque quelques rien sait savent savoir seront sert servir sommes souvenir suis toujours
        tous tout toute toutes trouve trouver va vas veulent veut vient voir vont voudrait vouloir vraiment vu
        ça
    """,
    "es": """
        acordar acuerda ahora algo alguien aquellas aquello aquellos buscar cada creer cuyo dar debe deber decir
        dejar dice dicen dijo dio encontrar encuentra esas esos estaba estamos estar estoy están falta haber
        habrá había habían hace hacen hacer haces hago hecho hemos hizo ir jamás llama llamar llevar luego mismo
        momento mucha muchas mucho muchos nadie necesita necesitar nunca ocurrir olvidar otra otro pasa pasar
        pasó pedir pensar poder poner preguntar pude puede pueden puedo queda quedar querer quiere quieren quiso
        recordar sabe saber sería siempre sirve somos sé tenemos tener tenía todas todo todos trae traer usar va
        vamos van ver vez vino vio visto volver
    """,
    "it": """
        abbia abbiamo hai adesso alcuni allora altra altro ancora andare avere avete aveva bene bisogna bisogno
        capitare cercare certo chiamare chiedere conoscere credere dare deve devono dice dimenticare dire
        dispone dov dovere dovrebbe fa facciamo fanno far fare fatto finire già mai manca messo mettere molta
        molte molti molto momento nessuno niente occorre ogni ora parlare passare pensare piacere poi possiamo
        possono potere potrebbe prendere preso proprio può qualche qualcosa qualcuno quegli quei quel quell
        quella quelle ricordare rimanere sa sai sanno sapere sapete sarebbe sarà serve servire siamo siete solo
        succede succedere successo tenere tiene trova trovare tutta tutte tutti tutto usare va vanno vedere
        venire viene visto vogliamo vogliono volere voleva vuole
    """,
    "pt": """
        acha achar acontecer aconteceu agora ainda algo algum alguma algumas alguns alguém anda andar aquela
        aquelas aquele aqueles aquilo cada chamar conhecer costuma dar deixar dessa desse desta deste deve dever
        disse disso diz dizer encontrar então essas esses estar estava estavam esteve estou faz fazem fazer
        feito fez fica ficar ficou gente havia houve ir isso lembrar lá mesmo momento muita muitas muitos nada
        naquela naquele nessa nesse nesta neste ninguém nunca outra outro parece passar pedir pegar pensar pode
        podem poder precisa precisar pôr quer querem querer sabe sabem saber sei sempre ser serve servir será
        temos ter tinha tinham toda todas todo todos tudo usar vai vamos ver vez vir viu vão época
    """,
    "ru": """
        будет буду будут бывать были быть весь взять видел видеть вместе возьмет говорил говорили говорить
        давать далеко дать делали делась делать делись дело делось делся думать есть ждать забыть звать знаем
        знает знать значит знаю зовут иметь искать казаться какими каких какому куда лежит мог могут можем может
        мочь моё надо найти напомнить находиться нашёл никто нужен нужна нужно нужны один одна опять остаться
        очень писать показать пользоваться помнит помнить понять попросить почём происходить прямо раз
        рассказать сделать сейчас сказал сказать собой спросить стать стоит столько стоят твой тебе теперь тобой
        тогда только узнать хотел хотеть хотят хочет хочу чему чьей чьему чьи чьим чьих чём
    """,
    "tr": """
        acaba alan aldı aldık aldın almak alır alıyor anlamak anlar anlıyor bakmak bana bazen başka bilen bilir
        biliyor bilmek biri birisi buldu buldun bulmak bulunur burada böyle dedi demek denir diye diyor durmak
        eder edildi edilir edilmek edin etmek etti ettik ettin fazla geldi gelmek gerek gerekir gerekiyor
        gerekli getirmek gitmek gitti gördü göre görmek hangisi hatırlamak herkes hiçbir hâlâ ihtiyaç istemek
        ister istiyor kaldı kalmak kimde kimden kimse konuşmak koydu koymak kullanmak kullanıyor lazım mümkün
        neler nerde neresi olacak olmak olmuş olur oluyor orada sana sanmak soran sormak söyledi söylemek tane
        unutmak verdi verir vermek yapmak yaptı yaptık yapıldı yapılır yapıyor yaramak yarar yarıyor yer zaman
        önce şimdi şu şöyle
    """,
    "fi": """
        aika aina annettiin annoimme antaa antoi enemmän enää hakea haluaa halusi he heistä heitä hetkellä
        hänelle hänellä ihan jokin joku jollain joskus jossain joutua joutui joutuivat juuri jäi jäädä kai
        kaikki kannattaa katsoa kauan kehen kelle kelpaa kenellä kenen kerran kertoa kertoi keskustella koskea
        kuka kuulua kuuluu kuuluvat käydä käyttää laittaa lisää luona luulla löysi löytyy löytyä mainita meni
        mennä miettiä miksi millainen millaiset millaisia millaista minne moni monta muistaa muistatko muu muut
        niihin niistä nykyinen nyt olemme oletko olimme olisi olleet ollut onko ottaa otti paljon paljonko panna
        pidetään pitäisi pitää puhua puhui pystyä pyysi pyytää saa saada saadaan saako sai saimme saivat sanoa
        sanoi siellä sitten taas tapahtua tarvita tarvitaan tarvitsee tehdä tehdään tehtiin teki tiedätkö tiesi
        tietää toi toivat tulee tuli tulla tuoda tätä unohtaa vaikka vei viedä vielä voidaan voiko voimme
    """,
    "nl": """
        alles altijd beetje ben bent blijft blijven brengen deed denken doen doet eigenlijk gaan gaat geeft geen
        geven gezegd ging graag hadden halen hebt heten hier iedereen iemand iets kennen kent komen komt kon
        konden kunnen kunt kwam laten liggen ligt maken moet moeten mogen niemand nodig onthouden precies staan
        staat steeds vinden vindt vragen waarvoor weer weet weten wil wilde willen wist worden zeggen zegt zei
        zien zit zitten zoeken
    """,
    "sv": """
        alltid använda behöva behöver berätta bli borde bra fick finna finns frågar få får gav ge ger gick
        gjorde gå går gör göra heta heter hitta hittar hämta ingen inget just kanske kom komma kommer kunde
        känner ligga ligger låta mena minnas minns måste nog någonting också sa sade sagt se ser skulle stå står
        säga säger ta tala tar tog tro tror vet veta vilja vill ville visste
    """,
    "pl": """
        były będzie będą chce chciał chcieć chcą czyj czyja czyje dać dał dostać gdzieś iść jakich jakiego
        jakieś jakimi kimś komuś ktokolwiek ktoś leży mam mamy miał mieliśmy mieć mogą musi myśleć mówić mówił
        nasz nasza nasze naszego naszej nic nikt pamięta pamiętać potrzebny potrzebować potrzebuje powiedział
        powiedzieć prosić pytać robi robimy robić stać stało stoi szukać teraz trzeba widzieć wie wiedzieć wiemy
        wziąć wziął zna znaleźć znać zostać zrobić
    """,
    "da": """
        altid bede bliver bruge bruger burde fik finde findes fortælle få får gav gik give giver gjorde gå går
        gør gøre hedder hente huske husker ingen kender kom komme kommer kunne lad lige ligger mene må måtte
        nogen noget sagde se ser sige siger skulle stå står tage tager tale tog tro tror ved vide vidste ville
    """,
    "nb": """
        alltid be bruke bruker burde fikk finne finnes fortelle får gav gi gikk gir gjorde gjør gjøre gå går
        hente heter huske husker ingen kjenner kom komme kommer kunne la ligger mene må måtte noe sa se ser si
        sier skulle snakke stå står ta tar tok tro tror vet ville visste vite
    """,
}
_LANGUAGES = {_ENGLISH: ENGLISH, **BY_LANGUAGE}


def languages_asked_in(words: Iterable[str]) -> tuple[str, ...]:
    """The languages that a question may be in, by the most of its words (folded) that are little in one.

    Accents are often left out in asking, and short questions hold words that two languages share: all that are as
    likely count.
    """
    distinct = frozenset(without_accents(word) for word in words)
    said = {lang: len(distinct & _exact(lang)) for lang in _LANGUAGES}
    most = max(said.values())
    return tuple(lang for lang, count in said.items() if count == most) if most else (_ENGLISH,)


@lru_cache(maxsize=1 << 14)
def asks(word: str, languages: tuple[str, ...]) -> bool:
    """Whether a folded word is one that questions in one of the languages are asked with."""
    plain = without_accents(word)
    return any(
        plain in _exact(lang) or not _stems(lang).isdisjoint(_stem(form, lang) for form in {word, plain})
        for lang in languages
    )


@cache
def _exact(lang: str) -> frozenset[str]:
    return frozenset(without_accents(word) for word in (*_LANGUAGES[lang], *_listed(lang)))


@cache
def _stems(lang: str) -> frozenset[str]:
    return frozenset(_stem(form, lang) for word in _listed(lang) for form in (word, without_accents(word)))


def _listed(lang: str) -> list[str]:
    return _LISTS.get(lang, "").replace("ß", "ss").split()


def _stem(word: str, lang: str) -> str:
    """The stem by the language's own algorithm, or by that of its script; the word where there is none."""
    return (stems.stem_terms(word, tuple(filter(None, (stems.extra_language(lang),)))) or (word,))[-1]
