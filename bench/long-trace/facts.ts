/**
 * What a person says in passing that matters later: each message as it is sent, and the value by which the fact is found.
 * Written before anybody looked at how handoffs are made; no rule may be made after these sentences.
 */
export type Fact = readonly [message: string, value: string];

const english: readonly Fact[] = [
  [
    'Can you see why the nightly sync is slow? My staging host is brackwater-7.example.net, if you need to look.',
    'brackwater-7',
  ],
  ['The release is on the 14th, so let us see what is left. Start with the list of open tickets.', '14th'],
  ['Call me Oriel.', 'Oriel'],
  ['We never ship on Fridays. What would a rollout plan for the importer look like?', 'Fridays'],
  ['The budget is 4,200 euros, more or less. Which of the two hosting plans comes closer?', '4,200 euros'],
  ['Write me the invitation for the team dinner. Half of us are vegetarian and Tamsin has a nut allergy.', 'Tamsin'],
  ['I moved to Ljubljana last month, so times are in CET now. When does the standup fall for me?', 'Ljubljana'],
  ['Please put the export behind a flag; ours are all named with ff_ in front.', 'ff_'],
  [
    'Look at the failing migration, the one against Postgres 13, since the customer will not upgrade before summer.',
    'Postgres 13',
  ],
  ['What is a good way to page through that table? It has 38 million rows.', '38 million'],
  ['My daughter Wilhelmina starts school on Monday, I may be slow to answer. Go on with the parser.', 'Wilhelmina'],
  ['Rename the tab to Overview. By the way, I am colour-blind, red against green tells me nothing.', 'colour-blind'],
  [
    'The API key for the sandbox lives in the vault under harbour/sandbox-eu. Can you wire the client to it?',
    'harbour/sandbox-eu',
  ],
  ['How long would a full reindex take? We have a window of 45 minutes on Sunday night, no more.', '45 minutes'],
  ['Port 8443 is taken on my machine.', 'Port 8443'],
  ['Could you draft the answer to legal? Their contact is Ms Okonkwo-Reyes.', 'Okonkwo-Reyes'],
  ['Use tabs in anything under firmware/, that team insists. Then format the rest.', 'firmware/'],
  [
    'Our customers are mostly dental practices, so the copy should speak to receptionists. Give me three headlines.',
    'dental practices',
  ],
  ['I have got 16 gigabytes on this laptop and the build takes all of it. Ideas?', '16 gigabytes'],
  ['Explain the difference between the two locks to me, I come from Erlang.', 'Erlang'],
  ['The invoices have to be kept for ten years here. Does the cleanup job know that?', 'ten years'],
  ['Ship it to the beta ring first, that is about 220 people.', '220 people'],
  ['Before you touch the scheduler: Benedikt owns it and he is away until the 9th.', 'Benedikt'],
  ['Take a look at the login page. On my phone, a Fairphone 4, the button is cut off.', 'Fairphone 4'],
  ['The tests only pass with TZ=Pacific/Chatham here, funny enough. Find out why.', 'Pacific/Chatham'],
  ['Answer in short paragraphs. I read you on a train with bad reception.', 'on a train'],
  [
    'The old service is called Marmalade internally, you will see the name in logs. Search for who still calls it.',
    'Marmalade',
  ],
  [
    'Does the linter run before commit? We squash everything, there are no merge commits in this repository.',
    'squash everything',
  ],
  ['It has to work without network at sea, up to three weeks. How would you store the readings?', 'three weeks'],
  ['Set the retry limit to something sane. The upstream allows 90 calls a minute.', '90 calls'],
  ['Node 20 is what production has.', 'Node 20'],
  ['My manager wants a one-page summary by Wednesday noon. Can you outline it?', 'Wednesday noon'],
  ['Add a column for the weight, in pounds, because the warehouse in Tulsa cannot do kilograms.', 'Tulsa'],
  ['Is there a lighter chart library? Anything GPL is out for us.', 'Anything GPL'],
  ['I would rather have one long file than six short ones. Now split the handlers, but only in two.', 'one long file'],
  ['The customer number for the support case is KD-558-0193. What should I write to them?', 'KD-558-0193'],
  ['Our main branch is trunk. Compare it with the feature branch and tell me what would conflict.', 'branch is trunk'],
  [
    'Let us plan the trip, the three of us plus a dog named Biscuit. Which train would you take to the coast?',
    'Biscuit',
  ],
  [
    'You can restart the worker whenever you want but the broker needs a ticket with Priyanka first. Check the queue length.',
    'Priyanka',
  ],
  ['Prices are stored in cents, always. The total on the receipt looks a hundred times too high, why?', 'in cents'],
  ['That was decided in the March review: accounts are soft-deleted. Write the query for active ones.', 'soft-deleted'],
  ['Half my users are on version 3.8.2 still, and it reads the old header. Can we keep both?', '3.8.2'],
  ['I do not have sudo on the cluster. How else could I see the open ports?', 'have sudo'],
  ['Dinner is at Osteria Calandra at eight, I need to leave at seven. What can we finish until then?', 'Calandra'],
  ['Go through the glossary: we say "berth", not "slot", to clients.', '"berth"'],
];

const german: readonly Fact[] = [
  [
    'Schau dir bitte den Export an, unser Steuerberater heißt Kowalczyk und bekommt die Datei jeden Montag.',
    'Kowalczyk',
  ],
  ['Am 23. ziehen wir ins neue Rechenzentrum um. Was müsste vorher fertig sein?', 'Am 23.'],
  ['Ich arbeite mittwochs nicht. Plane die Schritte für den Umbau der Suche auf den Rest der Woche.', 'mittwochs'],
  ['Der Kunde zahlt höchstens 1.850 Euro im Monat, also such etwas Kleineres aus.', '1.850 Euro'],
  ['Mein Rechner läuft unter NixOS, deshalb geht apt nicht. Wie bekomme ich den Compiler?', 'NixOS'],
  ['Duz mich ruhig, ich bin die Frauke. Und wie liest man diese Fehlermeldung?', 'Frauke'],
  ['Die Anlage in Cuxhaven meldet Werte in Fahrenheit, frag nicht. Warum stimmt der Mittelwert nicht?', 'Cuxhaven'],
];

const japanese: readonly Fact[] = [
  ['検証環境は kaede-stg のほうです。ログを見て、遅い原因を調べてもらえますか。', 'kaede-stg'],
  ['リリースは来月18日になりました。残りの作業を並べてください。', '18日'],
  ['私のことは千晶と呼んでください。', '千晶'],
  ['予算は35万円までです。どのプランがよさそうですか。', '35万円'],
  ['うちのチームはコミットメッセージを英語で書きます。さっきの変更をまとめてください。', '英語'],
  ['会議は毎週木曜の15時からなので、それまでに要点をください。', '木曜'],
];

const chinese: readonly Fact[] = [
  ['帮我看看部署脚本,测试服务器是 lanhai-03,别的都停了。', 'lanhai-03'],
  ['客户要求9月30日之前上线。还差哪些工作?', '9月30日'],
  ['我叫婉清。', '婉清'],
  ['数据库最多只能用64个连接。怎么调整连接池?', '64个'],
  ['这个项目不用 Redis,公司不允许。缓存该怎么做?', '不用 Redis'],
  ['周末我在成都出差,回复会慢一些。先把报告写完吧。', '成都'],
  ['我们的用户大多是老年人,字要大一点。首页的文案怎么改?', '老年人'],
];

/** All sixty-five. */
export const facts: readonly Fact[] = [...english, ...german, ...japanese, ...chinese];
