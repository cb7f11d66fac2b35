/** Words so general that beside a value they name no part of anything: light verbs, measures, places in a sentence. */
import { anyWord } from './word-lists.ts';

/** Without them is left what may say of which part of a thing something is so: "design reviews", "the port of the mail sink". */
export const lightWords: RegExp = anyWord(
  [
    'commands?|stays?|keeps?|kept|goes|go|gone|comes?|gets?|gives?|given|takes?|taken|makes?|made|does|done|sets?|puts?|adds?|added|belongs?|lies|sits?|stands?|stood|holds?|held|tells?|told|says?|said|shows?|finds?|found|looks?|opens?|opened|closes?|starts?|started|begins?|ends?|works?|working|happens?|happened|takes? place|means?|needs?|needed|requires?|required|allowed|expects?|expected|writes?|written|reads?|files?|filed|signs?|signed|stores?|stored|registered|managed|tracked|handled|served|served|reach\\p{L}*|ha(?:s|ve) to|must|should|shall|type[sd]?|curl|whether|against|between|under|over|above|below|beneath|before|after|during|within|until|least|most|minimum|maximum|exactly|about|around|every|each|whole|full|entire|complete|everything|anything|something|thing|things|way|place|times?|days?|week|date|hour|clock|local(?:ly)?|host|address|side|part|code|project|repo(?:sitory)?|changes?|version|library|libraries|lines?|names?|numbers?|values?|default|standard|official|usual(?:ly)?|normal(?:ly)?|always|never|today|currently|right|good|best|own|same|long|daily|weekly',
    'befehl|pfleg\\p{L}+|führ(?:t|en)|halten|hält|bleib\\p{L}+|steht|stehen|liegt|liegen|lieg\\p{L}+|macht|machen|gibt|geben|geht|gehen|kommt|kommen|läuft|laufen|lässt|lassen|durchlaufen|findet|finden|sucht|suchen|meldet|melden|man|soll|sollen|muss|müssen|darf|kann|können|werden|worden|gehört|gehören|nennt|nennen|schreibt|geschrieben|startet|starten|beginnt|installiert|benutzt|verwendet|genutzt|erfolgt|passiert|gilt|holt|holen|legt|braucht|gegen|unter|über|vor|hinter|zwischen|während|durch|ohne|mindestens|höchstens|wenigstens|genau|etwa|ganze?[rsnm]?|jeweils|lokal|noch|niemand|jemand|wer|was|wo|rot|grün|tag|tage|woche|datum|seite|teil|code|projekt|version|dateien|datei|name|zeit|stelle|standard|übliche?[rsnm]?|täglich|wöchentlich',
    'fait|faire|va|vont|vient|met|reste|tient|donne|trouve|passe|doit|peut|faut|sous|contre|avant|après|entre|moins|jour|date|local|projet|fichiers?|chaque',
    'hace|hacer|va|van|viene|pone|queda|tiene|tienen|debe|deben|puede|hay|bajo|contra|antes|después|entre|menos|mínimo|día|fecha|local|proyecto|archivos?|cada|sale|salen',
    'делает|идёт|стоит|лежит|находится|должн\\p{L}+|можно|нужно|под|над|перед|после|между|менее|минимум|день|дата|проект\\p{L}*|файл\\p{L}*|кажд\\p{L}+|выход\\p{L}+',
  ],
  [
    '日|者|方|以上|以下|以内|上回|下回|超え|全部|全て|すべて|各|用|既定|担当|管理|追加|関係|コード|ファイル|来|動|走|行|入|出|使|置|書|持|見|変|決|受|送|向|開|始|回|対象|必要|場所|時|分|毎|今期|今|最近|最低|最大|現在|通り|頼|教|登録|実行|冒頭|名前|一匹|一台|一つ|目|中|内|前|後',
    '的|了|在|是|有|用|要|把|被|由|从|到|为|以上|至少|最多|必须|需要|每|天|日|号|时|点|项目|代码|文件|默认|本地|全部|所有|目前|现在|进行|使用|放|写|走|去|来|做|跑',
    '이상|이하|최소|최대|매주|매일|프로젝트|파일|코드|기본|로컬|현재|지금|모두|전체|해야|한다|합니다|된다|있다',
  ],
);
