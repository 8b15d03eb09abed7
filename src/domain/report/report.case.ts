import { fixedParagraph, keyValueBlocks, textBlock, toKeyValues } from '#domain/report/report.blocks.ts';
import type { Block, ReportContent } from '#domain/report/report.content.ts';

/** One clock of a case. Times are `YYYY-MM-DD HH:mm:ss`. */
export interface ReportClock {
  /** 受理, 访谈评估, 告知监护人或家属 … */
  name: string;
  duetime: string | null;
  /** when it was settled, or null while it runs */
  settledtime?: string | null;
}

/** The open case of the person as it stands at `now`. */
export interface ReportCase {
  warningcode: string;
  levelname: string;
  statename: string;
  /** '' without an owner */
  owner: string;
  clocks: readonly ReportClock[];
}

export const caseTitle = '危机个案';

function clockText({ duetime, settledtime }: ReportClock, now: string): string | null {
  if (settledtime) return `已于${settledtime.slice(0, 16)}完成`;
  if (!duetime) return null;
  return `${duetime.slice(0, 16)}前${duetime < now ? '，已超时' : ''}`;
}

function caseBlocks(reportCase: ReportCase | null, now: string): Block[] {
  const asOf = `截至${now.slice(0, 16)}`;
  if (!reportCase)
    return [
      textBlock(
        fixedParagraph({ audience: 'staff' }, 'CASE_NONE', '打开报告时没有进行中的个案', `${asOf}，没有进行中的个案。`),
        caseTitle,
      ),
    ];
  const { warningcode, levelname, statename, owner, clocks } = reportCase;
  return keyValueBlocks(
    toKeyValues([
      ['个案', `${warningcode}（${asOf}）`],
      ['级别', levelname],
      ['状态', statename],
      ['负责人', owner || '暂无，请尽快指定'],
      ...clocks.map((clock): readonly [string, string | null] => [`${clock.name}时限`, clockText(clock, now)]),
    ]),
    caseTitle,
  );
}

/**
 * The staff version with the person's open case as it stands now: owner, state and its own clocks, or the sentence that there is
 * none. A stored text never contains them, because a case moves on. The person's own version does not change.
 */
export function withCase(content: ReportContent, reportCase: ReportCase | null, now: string): ReportContent {
  if (content.audience !== 'staff') return content;
  return {
    ...content,
    sections: content.sections.map((section) => {
      if (section.key !== 'overall') return section;
      const alerts = section.blocks.filter((block) => block.type === 'alert');
      const others = section.blocks.filter((block) => block.type !== 'alert');
      return { ...section, blocks: [...alerts, ...caseBlocks(reportCase, now), ...others] };
    }),
  };
}
