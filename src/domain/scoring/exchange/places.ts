import type { Row } from '#domain/scoring/exchange/table.ts';

/** A path in a definition, such as `['items', 3, 'showif']`. */
export type Path = readonly (string | number)[];

/** The column of each field of a definition. A field without a column stands in 其他. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  items: {
    ...{ c: '题号', t: '题干', type: '题型', input: '输入类型', o: '选项', required: '必答', scored: '计分' },
    ...{ showif: '显示条件', sensitive: '敏感', head: '小标题' },
  },
  optionsets: { 0: '编码', 1: '选项', 2: '分值' },
  scores: {
    ...{ c: '编码', n: '名称', op: '算法', of: '题目或得分', ref: '题目或得分', num: '题目或得分', den: '题目或得分' },
    ...{ w: '权重', miss: '缺失上限', post: '换算', primary: '主要', domain: '领域', better: '方向' },
  },
  bands: { 0: '下限', 1: '上限', 2: '等级', 3: '名称' },
  norms: { mean: '均值', sd: '标准差', source: '来源', where: '其他' },
  alerts: { c: '编码', when: '条件', level: '等级或动作', msg: '说明' },
  validity: { c: '编码', when: '条件', action: '等级或动作', msg: '说明' },
  derive: { if: '条件', set: '等级或动作' },
  nextform: { when: '条件', formcode: '等级或动作' },
  form: {
    ...{ title: '名称', formtype: '类型', appids: '适用人群', instruction: '指导语', recall: '时间范围', minutes: '时长' },
    ...{ agemin: '最小年龄', agemax: '最大年龄', tier: '来源', citation: '出处' },
  },
};

/** Where the rows of a definition stand in the worksheets. */
export class Places {
  readonly #rows = new Map<string, Row>();

  set(path: Path, row: Row): void {
    this.#rows.set(path.join('\n'), row);
  }

  /** The row and column of a path; undefined for a part that no sheet has. */
  find(path: Path): { sheet: string; row: number; column: string } | undefined {
    for (let length = path.length; length > 0; length--) {
      const found = this.#rows.get(path.slice(0, length).join('\n'));
      if (!found) continue;
      const field = path[length];
      const column = field === undefined ? '' : (COLUMNS[String(path[0])]?.[field] ?? '其他');
      return { sheet: found.sheet, row: found.row, column: found.sheet === '题目' && column === '条件' ? '预警条件' : column };
    }
    const form = this.#rows.get('form');
    const column = COLUMNS['form']?.[String(path[0])];
    return form && { sheet: form.sheet, row: form.row, column: column ?? '其他' };
  }
}
