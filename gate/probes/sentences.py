"""What the notes of the probes say, in eight scripts: invented sentences, and none of the corpus's."""

from __future__ import annotations

from collections.abc import Mapping

# Language -> sentences, each with content words of its own that stand in it as they are.
SAID: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        ("The ferry to the island leaves from the north pier at dawn.", ("ferry", "island", "pier", "dawn")),
        ("Lemon trees on the balcony are watered every Thursday.", ("lemon", "balcony", "thursday")),
        ("The spare fuse for the projector lies in the green cupboard.", ("fuse", "projector", "cupboard")),
        ("Our bakery orders rye flour from the mill across the river.", ("bakery", "rye", "flour", "mill")),
        ("The lighthouse keeper repaired the brass foghorn in October.", ("lighthouse", "brass", "foghorn")),
        ("Bicycle repairs are free for members of the workshop.", ("bicycle", "members", "workshop")),
        ("The choir rehearses in the old customs house on Mondays.", ("choir", "customs", "mondays")),
        ("Snow closed the mountain railway for three days.", ("snow", "mountain", "railway")),
        ("The museum catalogue lists forty medieval seals.", ("museum", "catalogue", "medieval", "seals")),
        ("Tomato seedlings need warm soil and patient gardeners.", ("tomato", "seedlings", "soil", "gardeners")),
    ),
    "zh-Hans": (
        ("图书馆周末延长开放时间到晚上九点。", ("图书馆", "周末", "开放", "晚上")),
        ("阳台上的柠檬树每周四浇水。", ("阳台", "柠檬", "浇水")),
        ("备用钥匙放在厨房的蓝色抽屉里。", ("备用", "钥匙", "厨房", "抽屉")),
    ),
    "zh-Hant": (
        ("渡輪清晨從北碼頭開往小島。", ("渡輪", "清晨", "碼頭", "小島")),
        ("會議記錄已經歸檔到雲端資料夾。", ("會議", "記錄", "歸檔", "資料夾")),
        ("老街的麵包店每天黎明前開工。", ("老街", "麵包店", "黎明")),
    ),
    "ja": (
        ("始発のフェリーは北の桟橋から出ます。", ("始発", "フェリー", "桟橋")),
        ("予備の鍵は台所の青い引き出しにあります。", ("予備", "台所", "引き出し")),
        ("毎週木曜日は会議室で打ち合わせがあります。", ("木曜日", "会議室")),
    ),
    "ko": (
        ("도서관은 주말에 아홉 시까지 문을 엽니다.", ("도서관", "주말")),
        ("여분의 열쇠는 부엌 파란 서랍에 있습니다.", ("열쇠", "부엌", "서랍")),
        ("섬으로 가는 배는 북쪽 부두에서 떠납니다.", ("북쪽", "부두")),
    ),
    "th": (
        ("ห้องสมุดเปิดถึงสามทุ่มในวันเสาร์", ("ห้องสมุด", "วันเสาร์")),
        ("กุญแจสำรองอยู่ในลิ้นชักห้องครัว", ("กุญแจ", "สำรอง", "ลิ้นชัก", "ห้องครัว")),
        ("เรือข้ามฟากออกจากท่าเรือตอนเช้า", ("ท่าเรือ", "ตอนเช้า")),
    ),
    "ru": (
        ("Библиотека по выходным работает до девяти вечера.", ("библиотека", "выходным", "вечера")),
        ("Запасной ключ лежит в синем ящике на кухне.", ("запасной", "ключ", "ящике", "кухне")),
        ("Паром на остров отходит от северного причала.", ("паром", "остров", "причала")),
    ),
    "vi": (
        ("Thư viện mở cửa đến chín giờ tối vào cuối tuần.", ("thư viện", "cuối tuần")),
        ("Chìa khóa dự phòng nằm trong ngăn kéo màu xanh ở bếp.", ("chìa khóa", "dự phòng", "ngăn kéo")),
        ("Phà ra đảo rời bến phía bắc lúc bình minh.", ("phà", "đảo", "bình minh")),
    ),
}
