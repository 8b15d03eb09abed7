import { checkCell } from './cell.ts';
import { column, defineWorksheet, halfWidth, type Cell, type DeriveInput, type Derived, type RowCells } from './column.ts';
import { checkBirthday, deriveBirthday, warn } from './personChecks.ts';
import { adultIdnoColumn, BIRTHDAY_HEADS, cuseridColumn, GENDER_CHOICES, PHONE_HEADS } from './persons.columns.ts';
import { daysFrom, shiftDate } from '#domain/base/calendar.ts';
import { Gender } from '#domain/base/enums.ts';
import { datesDisagree, TERM_DAYS } from '#domain/person/gestation.ts';

/** A date of a woman who may be pregnant today differs from today by at most this many days. */
const LONGEST_PREGNANCY = 308;
/** A birth before 20 completed weeks is rare enough to ask about. */
const EARLIEST_BIRTH = 140;
/** The ages of women in these lists: outside the first pair is remarked, outside the second is refused. */
const USUAL_AGES = [14, 55] as const;
const POSSIBLE_AGES = [10, 65] as const;

const BOOK_DATE = column({
  key: 'bookdate',
  head: '建册日期',
  kind: 'date',
  past: true,
  isExtra: true,
  aliases: ['建档日期', '建卡日期', '建册时间', '建档时间', '登记日期', '初检日期', '检查日期'],
});

/** The days of a gestation such as 24+3, 24周+3天, 24w3d or 24; undefined for other texts. */
export function parseGestation(text: string): number | undefined {
  const plain = halfWidth(text).replace(/\s/g, '').toLowerCase();
  const parts = /^孕?(\d{1,2})(?:周|w|(?=\+|$))\+?(?:([0-6])(?:天|d|周|w)?)?$/.exec(plain);
  const days = parts ? Number(parts[1]) * 7 + Number(parts[2] ?? 0) : undefined;
  return days !== undefined && days <= LONGEST_PREGNANCY ? days : undefined;
}

/** 孕次 and 产次 of one text: G2P1, 孕2产1, 2/1. */
function parseGravidity(text: string): Record<string, string> {
  const parts = /^(?:g|孕)?(\d{1,2})(?:次)?(?:p|产|\/)(\d{1,2})(?:次)?$/i.exec(halfWidth(text).replace(/\s/g, ''));
  return parts ? { gravidity: parts[1]!, parity: parts[2]! } : {};
}

/** The birthday from the ID number, 孕次 and 产次 from 孕产次, and the last period from 孕周 on the day of 建册日期. */
function deriveMaternity({ rows, heads }: DeriveInput): Derived {
  let example = '';
  const cells = rows.map((row) => {
    const birthday = deriveBirthday(row);
    const both = Object.fromEntries(Object.entries(parseGravidity(row['gravidparity'] ?? '')).filter(([key]) => !row[key]));
    const days = parseGestation(row['gestation'] ?? '');
    const book = String(checkCell(BOOK_DATE, row['bookdate'] ?? '').value ?? '');
    if (days === undefined || book === '' || row['lmpdate'] || row['edcdate']) return { ...birthday, ...both };
    const lmpdate = shiftDate(book, -days);
    example ||= `${book} 为 ${row['gestation']}，末次月经 ${lmpdate}`;
    return { ...birthday, ...both, lmpdate };
  });
  const notes = example
    ? [`没有末次月经和预产期的行，由“${heads.get('bookdate')}”和“${heads.get('gestation')}”推算，例如${example}`]
    : [];
  if (!heads.has('birthday') && cells.some((cell) => 'birthday' in cell)) notes.push('没有“出生日期”，由身份证号得出');
  return { cells, notes };
}

const dateOf = (cell: Cell | undefined): string => (cell && !cell.error && cell.value ? String(cell.value) : '');
const refuse = (cell: Cell | undefined, message: string): void => {
  if (cell) cell.error ??= message;
};

/** Refuses and remarks dates of a pregnancy that cannot be, at the cell that is most likely wrong. */
function checkMaternity(rows: readonly RowCells[], today: string): void {
  for (const { cells } of rows) {
    const [lmp, edc, delivery] = [dateOf(cells['lmpdate']), dateOf(cells['edcdate']), dateOf(cells['deliverydate'])];
    checkBirthday(cells, today, { usual: USUAL_AGES, possible: POSSIBLE_AGES });
    if (cells['gender']?.value === Gender.male) refuse(cells['gender'], '是“男”，这是孕产妇的名单，请核对');
    checkExpected(cells, { lmp, edc }, today);
    checkDelivery(cells['deliverydate'], { lmp, edc, delivery });
    if (lmp && !delivery && daysFrom(lmp, today) > LONGEST_PREGNANCY)
      warn(cells['lmpdate'], `到今天已有 ${Math.floor(daysFrom(lmp, today) / 7)} 周，没有分娩日期，请核对`);
    checkGestation(cells, { lmp, edc });
  }
}

function checkExpected(cells: RowCells['cells'], { lmp, edc }: { lmp: string; edc: string }, today: string): void {
  if (!edc) return;
  if (daysFrom(today, edc) > LONGEST_PREGNANCY) refuse(cells['edcdate'], `${edc} 距今天超过 44 周，请核对`);
  else if (daysFrom(edc, today) > 3 * 365) warn(cells['edcdate'], `${edc} 已过去三年以上，请核对`);
  if (lmp && edc <= lmp) refuse(cells['edcdate'], `${edc} 不晚于末次月经 ${lmp}，请核对`);
  else if (datesDisagree({ lmpdate: lmp, edcdate: edc }))
    warn(
      cells['edcdate'],
      `按末次月经应为 ${shiftDate(lmp, TERM_DAYS)}，相差 ${Math.abs(daysFrom(lmp, edc) - TERM_DAYS)} 天，以预产期为准，请核对`,
    );
}

function checkDelivery(cell: Cell | undefined, { lmp, edc, delivery }: Record<'lmp' | 'edc' | 'delivery', string>): void {
  const start = lmp || (edc ? shiftDate(edc, -TERM_DAYS) : '');
  if (!delivery || !start) return;
  const days = daysFrom(start, delivery);
  if (days <= 0) refuse(cell, `${delivery} 早于${lmp ? '末次月经' : '按预产期推算的末次月经'} ${start}，请核对`);
  else if (days < EARLIEST_BIRTH) warn(cell, `只有孕 ${Math.floor(days / 7)} 周，请核对`);
  else if (days > LONGEST_PREGNANCY) warn(cell, `距末次月经超过 44 周，可能是上一次妊娠的日期，请核对`);
}

/** 孕周 alone says nothing: it needs the day on which it was counted. Beside other dates it checks them. */
function checkGestation(cells: RowCells['cells'], { lmp, edc }: { lmp: string; edc: string }): void {
  const cell = cells['gestation'];
  const text = String(cell?.value ?? '');
  if (!cell || text === '') return;
  const days = parseGestation(text);
  const book = dateOf(cells['bookdate']);
  if (!lmp && !edc) {
    if (days === undefined) refuse(cell, `“${text}”无法识别，请写成 24+3 或 24周+3天`);
    else if (!book) refuse(cell, '只有孕周，还需要建册日期才能推算末次月经；请补填建册日期、末次月经或预产期');
    return;
  }
  if (days === undefined) return warn(cell, `“${text}”无法识别，未用来核对`);
  const start = edc ? shiftDate(edc, -TERM_DAYS) : lmp;
  const counted = book ? daysFrom(start, book) : days;
  if (Math.abs(counted - days) > 14)
    warn(cell, `建册日按${edc ? '预产期' : '末次月经'}是 ${Math.floor(counted / 7)}+${counted % 7} 周，与这里不同，请核对`);
}

/** Template B, 孕产建档 (importZNBCUserFromExcel), with the heads of hospitals' own exports. */
export const maternityWorksheet = defineWorksheet(
  [
    column({
      key: 'username',
      head: '姓名',
      kind: 'name',
      required: true,
      maxlength: 50,
      example: '李晓雨',
      aliases: ['名字', '孕妇姓名', '孕产妇姓名', '产妇姓名', '患者姓名', '女方姓名', '母亲姓名', '本人姓名', '受测者姓名'],
    }),
    column({
      key: 'phonenumber',
      head: '联系电话',
      kind: 'phone',
      required: true,
      example: '13800000000',
      aliases: [...PHONE_HEADS, '孕妇电话', '孕产妇电话', '患者电话', '移动电话', '手机号1'],
    }),
    column({
      key: 'birthday',
      head: '出生日期',
      kind: 'date',
      required: true,
      past: true,
      example: '1995-03-02',
      aliases: [...BIRTHDAY_HEADS, '孕妇出生日期', '孕产妇出生日期'],
    }),
    column({
      key: 'lmpdate',
      head: '末次月经',
      kind: 'date',
      past: true,
      example: '2025-03-26',
      aliases: ['末次月经日期', '末次月经时间', '末次月经第一天', '末次月经日', '末经', 'lmp'],
    }),
    column({
      key: 'edcdate',
      head: '预产期',
      kind: 'date',
      example: '2025-12-31',
      aliases: ['预产日期', '预产日', '预计分娩日期', '预计预产期', 'edc', 'edd'],
    }),
    column({ key: 'gravidity', head: '孕次', kind: 'integer', min: 1, max: 20, example: '1', aliases: ['怀孕次数', '孕', 'g'] }),
    column({ key: 'parity', head: '产次', kind: 'integer', min: 0, max: 15, example: '0', aliases: ['分娩次数', '产', 'p'] }),
    column({
      key: 'checkupno',
      head: '建册号',
      kind: 'code',
      maxlength: 32,
      example: 'RA20250001',
      aliases: ['建档号', '建卡号', '保健册号', '孕册号', '围产保健号', '围保号', '保健手册编号', '母子健康手册编号', '手册编号'],
    }),
    column({
      key: 'highrisk',
      head: '是否高危',
      kind: 'yesno',
      example: '否',
      aliases: ['高危', '高危孕妇', '高危妊娠', '是否高危妊娠'],
    }),
    column({
      key: 'deliverydate',
      head: '分娩日期',
      kind: 'date',
      past: true,
      aliases: ['分娩时间', '生产日期', '实际分娩日期', '分娩年月日'],
    }),
    column({
      key: 'deliverymode',
      head: '分娩方式',
      kind: 'choice',
      choices: [
        { value: '01', label: '顺产', aliases: ['自然分娩', '阴道分娩', '平产', '自然产', '顺'] },
        { value: '02', label: '剖宫产', aliases: ['剖腹产', '剖宫', '剖'] },
        { value: '03', label: '助产', aliases: ['阴道助产', '产钳', '产钳助产', '胎头吸引', '吸引产'] },
      ],
    }),
    column({
      key: 'bookhospital',
      head: '建档医院',
      kind: 'text',
      maxlength: 60,
      aliases: ['建册医院', '建卡医院', '建册机构', '建档机构', '建卡机构', '建册单位', '产检医院'],
    }),
    column({
      key: 'guardianname',
      head: '紧急联系人',
      kind: 'name',
      maxlength: 50,
      aliases: ['联系人', '紧急联系人姓名', '联系人姓名', '丈夫姓名', '配偶姓名', '家属姓名'],
    }),
    column({
      key: 'guardianphone',
      head: '紧急联系电话',
      kind: 'phone',
      aliases: ['紧急联系人电话', '联系人电话', '丈夫电话', '丈夫联系电话', '配偶电话', '家属电话', '家属联系电话'],
    }),
    column({ key: 'remark', head: '备注', kind: 'text', maxlength: 500, aliases: ['说明', '注'] }),
    column({
      key: 'highrisknote',
      head: '高危说明',
      kind: 'text',
      maxlength: 100,
      isExtra: true,
      aliases: ['高危因素', '高危原因'],
    }),
    column({ key: 'fetuses', head: '胎数', kind: 'integer', min: 1, max: 5, isExtra: true, aliases: ['胎儿数'] }),
    column({ key: 'gravidparity', head: '孕产次', kind: 'text', isExtra: true, aliases: ['孕/产次', '孕产史'] }),
    column({
      key: 'gestation',
      head: '孕周',
      kind: 'text',
      isExtra: true,
      aliases: ['建册孕周', '建档孕周', '建卡孕周', '初检孕周', '当前孕周', '孕周+天'],
    }),
    BOOK_DATE,
    column({ key: 'gender', head: '性别', kind: 'choice', choices: GENDER_CHOICES, isExtra: true }),
    adultIdnoColumn,
    cuseridColumn,
  ],
  {
    name: '孕产妇名单',
    unique: [['cuserid'], ['idno'], ['checkupno'], ['username', 'phonenumber']],
    alike: [['username', 'birthday']],
    derive: deriveMaternity,
    check: checkMaternity,
  },
);
