import { faultKey, type Fault, type Part, type Place } from '#domain/scoring/editor/fault.ts';

/** The sections of the editor in their order. */
export const SECTIONS = [
  { key: 'form', title: '基本信息' },
  { key: 'items', title: '题目' },
  { key: 'optionsets', title: '选项组' },
  { key: 'scores', title: '得分与因子' },
  { key: 'bands', title: '等级' },
  { key: 'alerts', title: '预警与效度' },
  { key: 'derive', title: '跳题' },
  { key: 'norms', title: '常模' },
  { key: 'licence', title: '授权' },
] as const;
export type SectionKey = (typeof SECTIONS)[number]['key'];

/** The section that shows a part of the definition. */
export const sectionOf = (part: Part): SectionKey => (part === 'validity' ? 'alerts' : part === 'nextform' ? 'derive' : part);

/** The sections that a form type has. Archive forms have no scores; registration forms have alerts of questions only. */
export function sectionsOf(formtype: string): readonly (typeof SECTIONS)[number][] {
  const hidden: readonly SectionKey[] =
    formtype === '02' ? ['scores', 'bands', 'alerts', 'norms'] : formtype === '03' ? ['scores', 'bands', 'norms'] : [];
  return SECTIONS.filter((section) => !hidden.includes(section.key));
}

/** The mark of a place in the page, for `data-place`: the parts that are known, joined. */
export const placeMark = ({ part, code, index, field }: Place): string =>
  [part, code ?? '', index ?? '', field ?? ''].join(':').replace(/:+$/, '');

/** The marks to look for, the exact place first, then the rows and the part around it. */
export const marksAround = ({ part, code, index, field }: Place): string[] => {
  const row = { part, ...(code !== undefined && { code }), ...(index !== undefined && { index }) };
  const exact = field === undefined ? row : { ...row, field };
  const owner = code === undefined ? { part } : { part, code };
  return [...new Set([exact, row, owner, { part }].map(placeMark))];
};

/** The faults of a place and of everything inside it. */
export const faultsAt = (faults: readonly Fault[], place: Place): Fault[] =>
  faults.filter(
    (fault) =>
      fault.place.part === place.part &&
      (place.code === undefined || fault.place.code === place.code) &&
      (place.index === undefined || fault.place.index === place.index) &&
      (place.field === undefined || fault.place.field === place.field),
  );

/** Faults by section: the errors, and the notices. */
export function countFaults(faults: readonly Fault[], section: SectionKey): { errors: number; notices: number } {
  const own = faults.filter((fault) => sectionOf(fault.place.part) === section);
  const errors = own.filter((fault) => fault.kind === 'error').length;
  return { errors, notices: own.length - errors };
}

/** A key of a fault for lists; the same fault may occur twice at one place with different words. */
export const keyOfFault = (fault: Fault): string => `${faultKey(fault)} ${fault.message}`;
