/** Texts of our own in many languages and kinds, for calibrating and checking the estimates. */
export const samples = {
  english: `The archive keeps every letter that the harbour office ever received, and the clerk who looks after it
    knows most of them by heart. When a captain asks for an old permit, she needs only the year and the colour of the
    seal. Nobody has copied the books since the flood, which is why two shelves are still missing. She would rather
    repair them slowly than lose another page.`,
  german: `Das Archiv bewahrt jeden Brief auf, den das Hafenamt jemals erhalten hat, und die Schreiberin kennt die
    meisten auswendig. Wenn ein Kapitän nach einer alten Genehmigung fragt, braucht sie nur das Jahr und die Farbe des
    Siegels. Seit der Überschwemmung hat niemand die Bücher abgeschrieben, weshalb zwei Regale noch immer fehlen.`,
  french: `Les archives gardent chaque lettre que le bureau du port a jamais reçue, et la greffière en connaît la plupart
    par cœur. Quand un capitaine demande un ancien permis, il lui suffit de l'année et de la couleur du sceau. Personne
    n'a recopié les registres depuis l'inondation, c'est pourquoi deux étagères manquent encore.`,
  spanish: `El archivo guarda todas las cartas que la oficina del puerto ha recibido, y la escribana conoce la mayoría de
    memoria. Cuando un capitán pide un permiso antiguo, le basta con el año y el color del sello. Nadie ha copiado los
    libros desde la inundación; por eso todavía faltan dos estantes.`,
  polish: `Archiwum przechowuje każdy list, jaki kiedykolwiek otrzymał urząd portowy, a pisarka większość z nich zna na
    pamięć. Kiedy kapitan pyta o stare zezwolenie, wystarczy jej rok i kolor pieczęci. Od powodzi nikt nie przepisał
    ksiąg, dlatego wciąż brakuje dwóch półek.`,
  vietnamese: `Kho lưu trữ giữ mọi bức thư mà văn phòng cảng từng nhận được, và người thư ký thuộc lòng hầu hết chúng. Khi
    một thuyền trưởng hỏi về giấy phép cũ, cô chỉ cần biết năm và màu của con dấu. Từ sau trận lụt không ai chép lại sổ
    sách, vì thế vẫn còn thiếu hai kệ.`,
  russian: `Архив хранит каждое письмо, которое когда-либо получала портовая контора, и служащая знает большинство из них
    наизусть. Когда капитан спрашивает старое разрешение, ей достаточно года и цвета печати. После наводнения никто не
    переписывал книги, поэтому двух полок всё ещё не хватает.`,
  greek: `Το αρχείο φυλάει κάθε επιστολή που έλαβε ποτέ το λιμεναρχείο και η γραμματέας ξέρει τις περισσότερες απ' έξω.
    Όταν ένας καπετάνιος ζητά μια παλιά άδεια, της αρκεί το έτος και το χρώμα της σφραγίδας. Κανείς δεν αντέγραψε τα
    βιβλία μετά την πλημμύρα, γι' αυτό λείπουν ακόμη δύο ράφια.`,
  hebrew: `הארכיון שומר כל מכתב שמשרד הנמל קיבל אי פעם, והפקידה מכירה את רובם בעל פה. כאשר קברניט מבקש היתר ישן, די לה
    בשנה ובצבע החותם. איש לא העתיק את הספרים מאז השיטפון, ולכן שני מדפים עדיין חסרים.`,
  arabic: `يحتفظ الأرشيف بكل رسالة تسلمها مكتب الميناء في أي وقت، والكاتبة تحفظ معظمها عن ظهر قلب. عندما يسأل قبطان عن
    تصريح قديم، يكفيها أن تعرف السنة ولون الختم. لم ينسخ أحد الدفاتر منذ الفيضان، ولذلك ما زال رفان مفقودين.`,
  hindi: `अभिलेखागार में बंदरगाह कार्यालय को मिला हर पत्र सुरक्षित है, और लिपिक को उनमें से अधिकतर याद हैं। जब कोई कप्तान पुराना
    परमिट माँगता है, तो उसे केवल वर्ष और मुहर का रंग चाहिए। बाढ़ के बाद किसी ने किताबों की नकल नहीं की, इसलिए दो अलमारियाँ अब भी गायब हैं।`,
  thai: `หอจดหมายเหตุเก็บจดหมายทุกฉบับที่สำนักงานท่าเรือเคยได้รับ และเสมียนจำได้เกือบทั้งหมด เมื่อกัปตันขอใบอนุญาตเก่า
    เธอต้องการแค่ปีและสีของตราประทับ ไม่มีใครคัดลอกสมุดตั้งแต่น้ำท่วม ดังนั้นชั้นสองชั้นจึงยังหายไป`,
  chinese: `档案馆保存着港务局收到过的每一封信,管理员几乎都能背下来。船长来查旧许可证时,她只需要知道年份和印章的颜色。
    自从那场洪水以后,没有人再抄写过这些册子,所以至今还缺两排书架。她宁愿慢慢修补,也不愿再丢掉一页。`,
  japanese: `資料室には港湾事務所がこれまでに受け取った手紙がすべて保管されており、係の女性はそのほとんどを覚えています。
    船長が古い許可証を探しに来ると、年と印章の色さえ分かれば十分です。洪水のあと帳簿を書き写した人はいないので、棚が二つ
    まだ空いたままです。`,
  korean: `기록 보관소에는 항만 사무소가 지금까지 받은 모든 편지가 보관되어 있고, 담당자는 그 대부분을 외우고 있다. 선장이
    오래된 허가증을 찾으면 연도와 도장의 색깔만 알면 된다. 홍수 이후로 장부를 베낀 사람이 없어서 아직도 선반 두 개가 비어 있다.`,
  typescript: `export async function loadPermits(year: number, options: LoadOptions = {}): Promise<readonly Permit[]> {
  const rows = await database.query('select id, seal_colour, issued_at from permits where year = $1', [year]);
  if (rows.length === 0 && !options.allowEmpty) {
    throw new PermitError('NO_PERMITS', \`no permits for \${year}; check the ledger\`);
  }
  return rows.map((row) => ({ id: row.id, sealColour: row.seal_colour, issuedAt: new Date(row.issued_at) }));
}
`,
  python: `class PermitStore:
    """Keeps permits by year."""

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self._path = path
        self._by_year: dict[int, list[Permit]] = defaultdict(list)

    def add(self, permit: Permit) -> None:
        if self._read_only:
            raise RuntimeError(f"store at {self._path!r} is read only")
        self._by_year[permit.year].append(permit)
`,
  json: `{"permits":[{"id":"prm_0192","year":1987,"seal":{"colour":"green","intact":true},"holders":["A. Marek","T. Oyelaran"],
"fees":[12.5,40,3.75],"note":null},{"id":"prm_0193","year":1988,"seal":{"colour":"red","intact":false},"holders":[],
"fees":[],"note":"copied by hand"}],"total":2,"next":"/permits?page=2&size=50"}`,
  log: `2026-03-04T09:15:22.481Z INFO  [harbour.gate] vessel=IMO-9321483 berth=17 wait_ms=4812 status=200
2026-03-04T09:15:23.007Z WARN  [harbour.gate] retry 3/5 for /api/v2/permits/0192 (ETIMEDOUT 10.4.17.203:5432)
-rw-r--r--  1 clerk staff   18234 Mar  4 09:15 permits-1987.csv
drwxr-xr-x 12 clerk staff     384 Mar  4 09:15 node_modules
`,
  hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 3b5d5c3712955042212316173ccf37be',
  base64:
    'dGhlIGFyY2hpdmUga2VlcHMgZXZlcnkgbGV0dGVyIFPDqW1hcGhvcmUgMTk4NyEgQmVydGggMTcgaXMgZnJlZSBhZ2Fpbi4gWmVicmE5Kg==',
  emoji: '🚢⚓️ ready 👍🏽, then 🎉🎉🎉 and 👩‍👩‍👧‍👦 with 🇳🇴 flags ✅❌',
  table: `| berth | vessel       | draught |
|------:|--------------|---------|
|    17 | Northern Kit | 4.2 m   |
├── gates/
│   ├── east.ts
│   └── west.ts
└── README.md
`,
} as const;
