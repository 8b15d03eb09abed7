import { archiveFieldsOf, type ArchiveFieldDef, type ArchiveValue } from '#domain/person/archive.ts';
import { archiveValueText } from '#domain/person/ownFields.ts';
import { ArchiveStatus } from '#domain/person/archiveStates.ts';
import { Appid, Gender, TeamType } from '#domain/base/enums.ts';
import { normalizeTeamName } from '#domain/person/grades.ts';
import type { Effect, ImportRemark } from '#contract/workbook/importJob.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import { createMatcher } from '#features/team/roster/match.ts';
import type { KnownPerson, KnownTeam, PlanOptions, Records } from '#features/team/roster/records.ts';
import { numberOf, type ImportRow, type TeamValues } from '#features/team/roster/row.ts';

/** A new person. `ref` is the placeholder of the cuserid, which the database assigns later. */
export interface NewPersonPlan {
  ref: string;
  row: ImportRow;
  owneruserid: string | null;
}
export interface ChangePlan {
  cuserid: string;
  appid: string;
  cuser: { gender?: string; birthday?: string; phone?: string; idno?: string; owneruserid?: string };
  archive: Record<string, ArchiveValue>;
  number?: string;
  guardians: ImportRow['guardians'];
}
export interface TeamPlan {
  values: TeamValues;
  existing: KnownTeam | undefined;
  /** cuserids and refs of the persons in the worksheet */
  memberRefs: Set<string>;
  joinCount: number;
}
export interface ImportPlan {
  remarks: ImportRemark[];
  effects: Map<number, Effect>;
  persons: NewPersonPlan[];
  changes: ChangePlan[];
  teams: TeamPlan[];
  /** new memberships; `ref` is a cuserid or the ref of a new person */
  joins: { team: TeamPlan; ref: string; isReturning: boolean }[];
  leaves: { teamcode: string; cuserid: string }[];
}

/** The keys of a team, best first: its name, and for a class its grade and number, because schools write a class in several ways. */
const teamKeys = (team: Omit<TeamValues, 'gradename'>): string[] => [
  `${team.year}\0${normalizeTeamName(team.teamname)}`,
  ...(team.teamtype === TeamType.class && team.gradecode && team.classname
    ? [`${team.year}\0#${team.gradecode}\0${team.classname}`]
    : []),
];
/** The identity of a team within a sheet. */
const teamKey = (team: Omit<TeamValues, 'gradename'>): string => teamKeys(team).at(-1) as string;
const INACTIVE_STATUS: Readonly<Record<string, string>> = { '02': '休学', '04': '转出', '05': '毕业' };

/** Plans an import row by row against the records. A row with an error gets a remark and no plan. */
export function planImport(rows: readonly ImportRow[], records: Records, options: PlanOptions): ImportPlan {
  const plan: ImportPlan = { remarks: [], effects: new Map(), persons: [], changes: [], teams: [], joins: [], leaves: [] };
  const findMatch = createMatcher(records, options);
  const teams = new Map(records.teams.toReversed().flatMap((team) => teamKeys(team).map((key) => [key, team] as const)));
  const findTeam = (team: TeamValues) => teamKeys(team).flatMap((key) => teams.get(key) ?? [])[0];
  const teamPlans = new Map<string, TeamPlan>();
  /** the persons of earlier rows, so that one person in two teams is created once */
  const earlierRows = new Map<string, { ref: string; row: ImportRow; classTeam: string | undefined }>();

  for (const row of rows) {
    const remark = (kind: ImportRemark['kind'], key: string, message: string) =>
      plan.remarks.push({ row: row.row, key, kind, message });
    const before = plan.remarks.length;
    const error = (key: string, message: string) => remark('error', key, message);
    const { key: numberColumn, title: numberTitle } = numberOf[options.kind];
    const rowTeam = row.team ?? undefined;
    const existing = rowTeam ? findTeam(rowTeam) : options.targetTeam;
    if (rowTeam && !existing && !options.createteam)
      error(
        'teamname',
        `团体“${rowTeam.teamname}”不存在${rowTeam.year ? `（${rowTeam.year}学年）` : ''}，请先新建或改为自动创建`,
      );

    if (options.permitted && !options.permitted.includes(row.appid)) error('appid', '您的账号没有这个人群的权限');
    const identity = row.number ? `n${row.number}` : row.phone ? `p${row.username}\0${row.phone}` : undefined;
    const earlier = identity ? earlierRows.get(identity) : undefined;
    if (earlier && earlier.row.username !== row.username)
      error('username', `与第 ${earlier.row.row} 行${row.number ? numberTitle : '电话'}相同，姓名却不同，请核对`);
    const isClass = rowTeam?.teamtype === TeamType.class;
    if (earlier?.classTeam && isClass && earlier.classTeam !== teamKey(rowTeam))
      error(numberColumn, `与第 ${earlier.row.row} 行是同一人，却在两个班级，请核对`);

    const match = earlier ? undefined : findMatch(row, existing);
    if (match && 'why' in match) error(match.key, match.why);
    const person = match && 'person' in match ? match.person : undefined;
    if (!earlier && !person && !(match && 'why' in match)) {
      if (!row.gender) error('gender', '新增人员需要填写性别');
      for (const { key, message } of row.neededForNew) error(key, message);
    }
    if (person && isAdultKind(options.kind)) for (const [key, message] of findMismatches(row, person)) error(key, message);
    const owneruserid = row.headteacher ? (records.staff.get(row.headteacher.toLowerCase()) ?? null) : null;
    if (row.headteacher && !owneruserid) error('headteacher', `没有账号“${row.headteacher}”，请填写本机构用户的登录账号`);
    if (plan.remarks.slice(before).some((item) => item.kind === 'error')) continue;

    const team =
      rowTeam || options.targetTeam
        ? findOrAddTeamPlan(plan, teamPlans, rowTeam ?? toTeamValues(options.targetTeam as KnownTeam), existing)
        : undefined;
    const ref = earlier?.ref ?? person?.cuserid ?? `new${plan.persons.length}`;
    if (identity && !earlier)
      earlierRows.set(identity, { ref, row, classTeam: isClass && rowTeam ? teamKey(rowTeam) : undefined });
    if (!earlier && !person) plan.persons.push({ ref, row, owneruserid });
    let effect: Effect = earlier || person ? 'same' : 'new';
    if (match && 'person' in match && match.warning) remark('warning', match.warning.key, match.warning.message);
    if (match && 'warning' in match && !person && match.warning) remark('warning', match.warning.key, match.warning.message);
    if (!row.number && !earlier && !person?.number && options.isStudents)
      remark('warning', numberColumn, entryWithoutNumber(row, rowTeam));
    if (person) {
      const status = INACTIVE_STATUS[String(person.archive['status'] ?? '')];
      if (status) remark('warning', 'username', `系统中已标记为“${status}”，导入后学籍状态不变，请核对`);
      const change = buildChange(row, person, owneruserid, options, (key, message) => remark('warning', key, message));
      if (change) {
        plan.changes.push(change);
        effect = 'update';
      }
    }
    if (team && !team.memberRefs.has(ref)) {
      team.memberRefs.add(ref);
      if (!existing?.members.includes(ref)) {
        team.joinCount++;
        plan.joins.push({ team, ref, isReturning: existing?.former.includes(ref) ?? false });
        if (effect !== 'new') effect = 'join';
        const previousClasses = isClass
          ? person?.teams.filter(
              (item) => item.teamtype === TeamType.class && item.year === rowTeam.year && item.teamcode !== existing?.teamcode,
            )
          : undefined;
        for (const item of previousClasses ?? []) {
          plan.leaves.push({ teamcode: item.teamcode, cuserid: ref });
          remark('warning', 'teamname', `系统中在“${item.teamname}”，导入后调整到本班`);
          effect = 'move';
        }
      }
    }
    plan.effects.set(row.row, effect);
  }
  return plan;
}

/** How a student without a number signs in. */
const entryWithoutNumber = (row: ImportRow, team: TeamValues | undefined): string =>
  row.birthday && (team ?? row.archive['classname'])
    ? '没有学号，作答时用姓名、班级和出生日期进入'
    : `没有学号，也没有${row.birthday ? '班级' : '出生日期'}，将不能进入作答；请补填其中一项，或使用测评码`;

/** The values of a team that exists. */
export const toTeamValues = ({ teamname, year, teamtype, gradecode, gradename, classname }: KnownTeam): TeamValues => ({
  teamname,
  year,
  teamtype,
  gradecode,
  gradename,
  classname,
});

/** Returns the plan of a team, and adds it for the first row of the team. */
function findOrAddTeamPlan(
  plan: ImportPlan,
  teamPlans: Map<string, TeamPlan>,
  values: TeamValues,
  existing: KnownTeam | undefined,
): TeamPlan {
  const key = existing?.teamcode ?? teamKey(values);
  let team = teamPlans.get(key);
  if (!team) {
    team = { values: existing ? toTeamValues(existing) : values, existing, memberRefs: new Set(), joinCount: 0 };
    teamPlans.set(key, team);
    plan.teams.push(team);
  }
  return team;
}

const isAdultKind = (kind: PersonKind): boolean => kind === 'maternity' || kind === 'adults';

/** Why a row cannot change the person that its keys name, by column. */
function findMismatches(row: ImportRow, person: KnownPerson): [key: string, message: string][] {
  if (person.appid !== row.appid)
    return [[row.appid === Appid.maternity ? 'username' : 'appid', `系统中是“${Appid.label(person.appid)}”人员，请核对`]];
  return person.archivestatus === ArchiveStatus.closed ? [['username', '系统中的档案已结束，请先在档案页重新建档，再导入']] : [];
}

const isSameValue = (a: ArchiveValue, b: ArchiveValue): boolean =>
  a === b ||
  JSON.stringify(a) === JSON.stringify(b) ||
  (a !== null && a !== '' && !Array.isArray(a) && String(Number(a)) === String(b));
/** Stands for a value that an importer need not read. */
const HIDDEN = '\0';
/** An archive value in the words of its field; null without a value. */
function describeValue(field: ArchiveFieldDef | undefined, value: ArchiveValue): string | null {
  if (value === null || value === '') return null;
  return field?.isSensitive ? HIDDEN : archiveValueText(field, value);
}

/** Returns the values of a row that differ from the person's record, or undefined. It calls `warn` for each replaced value. */
function buildChange(
  row: ImportRow,
  person: KnownPerson,
  owneruserid: string | null,
  { kind, own, hashPhone }: PlanOptions,
  warn: (key: string, message: string) => void,
): ChangePlan | undefined {
  const change: ChangePlan = { cuserid: person.cuserid, appid: person.appid, cuser: {}, archive: {}, guardians: [] };
  const warnReplaced = (key: string, oldValue: string | null, newValue: string) =>
    oldValue &&
    warn(key, oldValue === HIDDEN ? '与系统中的内容不同，导入后更新' : `系统中为“${oldValue}”，导入后改为“${newValue}”`);
  if (row.gender && row.gender !== person.gender) {
    change.cuser.gender = row.gender;
    warnReplaced('gender', Gender.label(person.gender as '01'), Gender.label(row.gender as '01'));
  }
  if (row.birthday && row.birthday !== person.birthday) {
    change.cuser.birthday = row.birthday;
    warnReplaced('birthday', person.birthday, row.birthday);
  }
  if (row.phone && hashPhone(row.phone) !== person.phonehash) {
    change.cuser.phone = row.phone;
    if (person.phonehash) warn('phonenumber', '与系统中的号码不同，导入后更新');
  }
  if (owneruserid && owneruserid !== person.owneruserid) change.cuser.owneruserid = owneruserid;
  if (row.idno && !person.idnohash) change.cuser.idno = row.idno;
  // The number of a merged record is the person's old one.
  if (row.number && row.number !== person.number && !(person.number && person.merged.numbers.includes(row.number))) {
    change.number = row.number;
    warnReplaced(numberOf[kind].key, person.number, row.number);
  }
  for (const [key, value] of Object.entries(row.archive)) {
    const oldValue = person.archive[key] ?? null;
    if (isSameValue(oldValue, value)) continue;
    change.archive[key] = value;
    const ownColumn = own.find(({ targets }) => targets[person.appid]?.code === key);
    const cell = ownColumn?.key ?? (key === 'gradename' ? 'grade' : key);
    const field = ownColumn?.targets[person.appid] ?? archiveFieldsOf[person.appid]?.find((item) => item.code === key);
    const isShown = ownColumn !== undefined || kind !== 'roster' || key === 'gradename' || key === 'classname';
    if (key !== 'gradecode' && key !== 'eduphase' && isShown)
      warnReplaced(cell, describeValue(field, oldValue), describeValue(field, value) ?? '');
  }
  change.guardians = row.guardians.filter(({ name }) => !person.guardians.includes(name));
  const hasChanges =
    Object.keys(change.cuser).length + Object.keys(change.archive).length > 0 ||
    change.number !== undefined ||
    change.guardians.length > 0;
  return hasChanges ? change : undefined;
}
