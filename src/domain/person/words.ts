/** The words of a sector for its persons: each institution reads the words of its own work. */
export interface PersonWords {
  /** the person, for example 学生 */
  person: string;
  /** the number that identifies the person, for example 学号 */
  number: string;
  /** where the person belongs, for example 班级 */
  belongs: string;
  /** the team that the person belongs to, for example 班级 */
  team: string;
  /** where names come from, for example 教务处的班级名单 */
  source: string;
}

const WORDS: Readonly<Record<string, PersonWords>> = {
  edu: { person: '学生', number: '学号', belongs: '班级', team: '班级', source: '教务处的班级名单' },
  health: { person: '孕产妇', number: '建册号', belongs: '所属', team: '团体', source: '门诊的建册名单' },
  enterprise: { person: '职工', number: '工号', belongs: '单位', team: '部门', source: '人事部门的职工名单' },
  gov: { person: '职工', number: '工号', belongs: '单位', team: '部门', source: '人事部门的职工名单' },
  elder: { person: '老人', number: '编号', belongs: '社区/机构', team: '社区', source: '社区的老人名单' },
};
/** The words of the platform, of providers and of authorities, who see all populations. */
const GENERAL: PersonWords = { person: '受测者', number: '学号/工号', belongs: '班级/单位', team: '团体', source: '名单' };

/** The words of a sector. */
export const personWordsOf = (sector: string): PersonWords => WORDS[sector] ?? GENERAL;

/**
 * A text of a screen in the words of a sector. Screens write the general words 学号/工号, 班级/单位, 班级/团体 and 受测者; those who see all
 * populations read them as they are.
 */
export function sayInSector(text: string, sector: string): string {
  const { person, number, belongs, team } = personWordsOf(sector);
  return text
    .replaceAll('学号/工号', number)
    .replaceAll('班级/单位', belongs)
    .replaceAll('班级/团体', sector in WORDS ? team : '班级/团体')
    .replaceAll('受测者', person);
}
