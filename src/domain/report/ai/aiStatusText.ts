import { AiStatus } from '#domain/base/enums.ts';

/** The state of a generated text in words that say which text the report has now. */
export const aiStatusText = (aistatus: number): string =>
  ({
    [AiStatus.none]: '未生成，用规则文字',
    [AiStatus.making]: '生成中',
    [AiStatus.made]: '已生成，待审核',
    [AiStatus.reviewed]: '已审核',
    [AiStatus.failed]: '生成失败，用规则文字',
  })[aistatus] ?? '';
