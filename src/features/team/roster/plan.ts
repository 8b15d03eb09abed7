import type { ArchiveValue } from '#domain/person/archive.ts';
import { Gender, TeamType } from '#domain/base/enums.ts';
import { normalizeTeamName } from '#domain/person/grades.ts';
import type { Effect, ImportRemark } from '#contract/workbook/importJob.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import { numberKey, type Incoming, type TeamValues } from '#features/team/roster/row.ts';

/** A person of the institution who may be meant by a row. */
export interface KnownPerson {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonehash: string | null;
  owneruserid: string | null;
  /** student or staff number */
  number: string | null;
  /** archive values, columns and detail together; without the number */
  archive: Record<string, ArchiveValue>;
  guardians: string[];
  /** teams the person is in now */
  teams: { teamcode: string; teamname: string; teamtype: string; year: string }[];
}
export interface KnownTeam {
  teamcode: string;
  teamname: string;
  year: string;
  /** cuserids of the present members */
  members: string[];
  /** cuserids of those who left */
  former: string[];
}
export interface Known {
  persons: readonly KnownPerson[];
  teams: readonly KnownTeam[];
  /** members of staff by lower-case account name */
  staff: ReadonlyMap<string, string>;
}

export interface PlanOptions {
  kind: PersonKind;
  createteam: boolean;
  /** team everybody joins, when the sheet names none */
  into?: KnownTeam | undefined;
  blind: (phone: string) => string;
  /** a name as the reader may see it */
  show: (username: string) => string;
}

/** A person to be: `ref` stands for the number the database will give. */
export interface NewPersonPlan {
  ref: string;
  row: Incoming;
  owneruserid: string | null;
}
export interface ChangePlan {
  cuserid: string;
  cuser: { gender?: string; birthday?: string; phone?: string; owneruserid?: string };
  archive: Record<string, ArchiveValue>;
  number?: string;
  guardian?: NonNullable<Incoming['guardian']>;
}
export interface TeamPlan {
  values: TeamValues;
  existing: KnownTeam | undefined;
  /** cuserids and refs named by the sheet */
  named: Set<string>;
  added: number;
}
export interface ImportPlan {
  remarks: ImportRemark[];
  effects: Map<number, Effect>;
  persons: NewPersonPlan[];
  changes: ChangePlan[];
  teams: TeamPlan[];
  joins: { team: TeamPlan; who: string; back: boolean }[];
  leaves: { teamcode: string; cuserid: string }[];
}

const teamKey = (team: { year: string; teamname: string }) => `${team.year}\0${normalizeTeamName(team.teamname)}`;
const LEFT: Readonly<Record<string, string>> = { '02': '休学', '04': '转出', '05': '毕业' };

/** Decides, row by row, what an import will do with what is known. Rows with an error are remarked on and planned for nothing. */
export function planImport(rows: readonly Incoming[], knownKnown: Known, options: PlanOptions): ImportPlan {
  const plan: ImportPlan = { remarks: [], effects: new Map(), persons: [], changes: [], teams: [], joins: [], leaves: [] };
  const find = finder(knownKnown, options);
  const teams = new Map(knownKnown.teams.map((team) => [teamKey(team), team]));
  const planned = new Map<string, TeamPlan>();
  /** persons of this very sheet, so that one person in two teams is one person */
  const met = new Map<string, { who: string; row: Incoming; classteam: string | undefined }>();

  for (const row of rows) {
    const remark = (kind: ImportRemark['kind'], key: string, message: string) =>
      plan.remarks.push({ row: row.row, key, kind, message });
    const before = plan.remarks.length;
    const error = (key: string, message: string) => remark('error', key, message);
    const numbered = numberKey[options.kind];
    const wantedTeam = row.team ?? undefined;
    const existing = wantedTeam ? teams.get(teamKey(wantedTeam)) : options.into;
    if (wantedTeam && !existing && !options.createteam)
      error(
        'teamname',
        `团体“${wantedTeam.teamname}”不存在${wantedTeam.year ? `（${wantedTeam.year}学年）` : ''}，请先新建或改为自动创建`,
      );

    const identity = row.number ? `n${row.number}` : row.phone ? `p${row.username}\0${row.phone}` : undefined;
    const earlier = identity ? met.get(identity) : undefined;
    if (earlier && earlier.row.username !== row.username)
      error('username', `与第 ${earlier.row.row} 行${row.number ? '学号/工号' : '电话'}相同，姓名却不同，请核对`);
    const isclass = wantedTeam?.teamtype === TeamType.class;
    if (earlier?.classteam && isclass && earlier.classteam !== teamKey(wantedTeam))
      error(numbered, `与第 ${earlier.row.row} 行是同一人，却在两个班级，请核对`);

    const found = earlier ? undefined : find(row, existing);
    if (found && 'why' in found) error(found.key, found.why);
    const person = found && 'person' in found ? found.person : undefined;
    if (!earlier && !person && !row.gender && !(found && 'why' in found)) error('gender', '新增人员需要填写性别');
    const owneruserid = row.headteacher ? (knownKnown.staff.get(row.headteacher.toLowerCase()) ?? null) : null;
    if (row.headteacher && !owneruserid) error('headteacher', `没有账号“${row.headteacher}”，请填写本机构用户的登录账号`);
    if (plan.remarks.slice(before).some((item) => item.kind === 'error')) continue;

    const team =
      wantedTeam || options.into
        ? teamPlanOf(plan, planned, wantedTeam ?? toTeamValues(options.into as KnownTeam), existing)
        : undefined;
    const who = earlier?.who ?? person?.cuserid ?? `new${plan.persons.length}`;
    if (identity && !earlier) met.set(identity, { who, row, classteam: isclass && wantedTeam ? teamKey(wantedTeam) : undefined });
    if (!earlier && !person) plan.persons.push({ ref: who, row, owneruserid });
    let effect: Effect = earlier || person ? 'same' : 'new';
    if (found && 'person' in found && found.warning) remark('warning', found.warning.key, found.warning.message);
    if (found && 'warning' in found && !person && found.warning) remark('warning', found.warning.key, found.warning.message);
    if (person) {
      const left = LEFT[String(person.archive['status'] ?? '')];
      if (left) remark('warning', 'username', `系统中已标记为“${left}”，导入后学籍状态不变，请核对`);
      const change = changeOf(row, person, owneruserid, options, (key, message) => remark('warning', key, message));
      if (change) {
        plan.changes.push(change);
        effect = 'update';
      }
    }
    if (team && !team.named.has(who)) {
      team.named.add(who);
      if (!existing?.members.includes(who)) {
        team.added++;
        plan.joins.push({ team, who, back: existing?.former.includes(who) ?? false });
        if (effect !== 'new') effect = 'join';
        const old = isclass
          ? person?.teams.filter(
              (item) => item.teamtype === TeamType.class && item.year === wantedTeam.year && item.teamcode !== existing?.teamcode,
            )
          : undefined;
        for (const item of old ?? []) {
          plan.leaves.push({ teamcode: item.teamcode, cuserid: who });
          remark('warning', 'teamname', `系统中在“${item.teamname}”，导入后调整到本班`);
          effect = 'move';
        }
      }
    }
    plan.effects.set(row.row, effect);
  }
  return plan;
}

const toTeamValues = (team: KnownTeam): TeamValues => ({
  teamname: team.teamname,
  year: team.year,
  teamtype: '',
  gradecode: '',
  gradename: '',
  classname: '',
});

function teamPlanOf(
  plan: ImportPlan,
  planned: Map<string, TeamPlan>,
  values: TeamValues,
  existing: KnownTeam | undefined,
): TeamPlan {
  const key = teamKey(values);
  let team = planned.get(key);
  if (!team) {
    team = { values, existing, named: new Set(), added: 0 };
    planned.set(key, team);
    plan.teams.push(team);
  }
  return team;
}

type Found =
  | { person: KnownPerson; warning?: { key: string; message: string } }
  | { key: string; why: string }
  | { warning: { key: string; message: string } }
  | undefined;

/** Finds who is meant: by number, else by name and telephone, else by name within the team, else by name and birthday. */
function finder(knownKnown: Known, { kind, blind, show }: PlanOptions) {
  const group = (keyOf: (person: KnownPerson) => string | null) => {
    const groups = new Map<string, KnownPerson[]>();
    for (const person of knownKnown.persons) {
      const key = keyOf(person);
      if (key !== null) groups.set(key, [...(groups.get(key) ?? []), person]);
    }
    return groups;
  };
  const byNumber = group((person) => person.number);
  const byPhone = group((person) => person.phonehash && `${person.username}\0${person.phonehash}`);
  const byName = group((person) => person.username);

  return (row: Incoming, team: KnownTeam | undefined): Found => {
    const numbered = row.number ? byNumber.get(row.number)?.[0] : undefined;
    if (numbered)
      return numbered.username === row.username
        ? { person: numbered }
        : { key: 'username', why: `系统中 ${row.number} 是“${show(numbered.username)}”，与“${row.username}”不同，请核对` };
    const free = (person: KnownPerson) => !row.number || !person.number;
    const called = (row.phone ? (byPhone.get(`${row.username}\0${blind(row.phone)}`) ?? []) : []).filter(free);
    if (called.length === 1) return { person: called[0] as KnownPerson };
    const same = (byName.get(row.username) ?? []).filter(free);
    const members = team ? same.filter((person) => team.members.includes(person.cuserid)) : [];
    if (members.length === 1) return { person: members[0] as KnownPerson };
    if (members.length > 1)
      return { key: numberKey[kind], why: `该团体已有 ${members.length} 位“${show(row.username)}”，请填写学号/工号以区分` };
    const born = row.birthday ? same.filter((person) => person.birthday === row.birthday) : [];
    if (born.length === 1)
      return {
        person: born[0] as KnownPerson,
        warning: { key: 'username', message: '按姓名和出生日期认定为系统中的同一人，请核对' },
      };
    return same.length > 0 && !row.number
      ? { warning: { key: 'username', message: '系统中已有同名人员，未填学号/工号，将作为新人员添加，请核对' } }
      : undefined;
  };
}

/** What the row says about a known person that the system does not have yet or has otherwise; each change is announced. */
function changeOf(
  row: Incoming,
  person: KnownPerson,
  owneruserid: string | null,
  { kind, blind }: PlanOptions,
  announce: (key: string, message: string) => void,
): ChangePlan | undefined {
  const change: ChangePlan = { cuserid: person.cuserid, cuser: {}, archive: {} };
  const replaced = (key: string, old: string | null, now: string) => old && announce(key, `系统中为“${old}”，导入后改为“${now}”`);
  if (row.gender && row.gender !== person.gender) {
    change.cuser.gender = row.gender;
    replaced('gender', Gender.label(person.gender as '01'), Gender.label(row.gender as '01'));
  }
  if (row.birthday && row.birthday !== person.birthday) {
    change.cuser.birthday = row.birthday;
    replaced('birthday', person.birthday, row.birthday);
  }
  if (row.phone && blind(row.phone) !== person.phonehash) {
    change.cuser.phone = row.phone;
    if (person.phonehash) announce('phonenumber', '与系统中的号码不同，导入后更新');
  }
  if (owneruserid && owneruserid !== person.owneruserid) change.cuser.owneruserid = owneruserid;
  if (row.number && !person.number) change.number = row.number;
  for (const [key, value] of Object.entries(row.archive)) {
    const old = person.archive[key] ?? null;
    if (old === value) continue;
    change.archive[key] = value;
    const cell = key === 'gradename' ? 'grade' : key;
    if (key !== 'gradecode' && key !== 'eduphase' && (kind === 'students' || key === 'gradename' || key === 'classname'))
      replaced(cell, old === null ? null : String(old), String(value));
  }
  if (row.guardian && !person.guardians.includes(row.guardian.name)) change.guardian = row.guardian;
  const changed =
    Object.keys(change.cuser).length + Object.keys(change.archive).length > 0 ||
    change.number !== undefined ||
    change.guardian !== undefined;
  return changed ? change : undefined;
}
