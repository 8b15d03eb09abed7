import { Button, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { AiStatus } from '#domain/base/enums.ts';
import { can, hasPermission } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { generateAiReport, getAiSettings } from '#features/aireport/aireport.contract.ts';
import { getAsai1UserReportPageList } from '#features/report/list/aiReport.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';

interface Props {
  report: { reportcode: string; aistatus: number; valid: number; isshow: number };
}

/** The settings where the platform has a provider, the institution agreed, and the account has the page of these texts; else undefined. */
export function useAiSettings(of: 'individual.ai' | 'group.ai' = 'individual.ai') {
  const isOpen = can(generateAiReport) && hasPermission(of);
  const settings = useActionQuery(getAiSettings, isOpen ? {} : undefined, { quiet: true }).data;
  return settings?.isavailable && settings.allowed ? settings : undefined;
}

/** The step that asks for a text of the AI provider; null where the platform or the institution has no provider. */
function useAiText({ reportcode, aistatus, valid, isshow }: Props['report']) {
  const settings = useAiSettings();
  const generate = useActionMutation(generateAiReport, { invalidates: [getCUserReport, getAsai1UserReportPageList] });
  if (!settings || valid !== 1) return null;
  const hasText = aistatus === AiStatus.made || aistatus === AiStatus.reviewed;
  const ask = async () => {
    const notes = [
      hasText && '现有文字将被替换。',
      isshow === 1 && '生成后须重新审核，审核前本人暂时看不到这份报告。',
      '发送的内容不含姓名、编号、学校等信息。',
    ];
    if (await confirm(notes.filter(Boolean).join(''))) generate.mutate({ reportcode, ...(hasText && { force: 1 as const }) });
  };
  return {
    isBusy: generate.isPending,
    isMaking: aistatus === AiStatus.making,
    verb: hasText || aistatus === AiStatus.failed ? '重新生成' : '生成',
    lastfault: settings.lastfault,
    ask: () => void ask(),
    /** the answer of a text that is being written is its present state */
    refresh: () => generate.mutate({ reportcode }),
  };
}

/** 生成 or 重新生成 in a row of a list. */
export function AiTextRowButton({ report }: Props) {
  const text = useAiText(report);
  if (!text) return null;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={text.isBusy}
      onClick={text.isMaking ? text.refresh : text.ask}
      aria-label={text.isMaking ? '刷新AI综合解读的状态' : `${text.verb}AI综合解读`}
    >
      {text.isMaking ? '刷新' : text.verb}
    </Button>
  );
}

/** Asks for a text of the AI provider, or for another one. */
export function AiTextButton({ report }: Props) {
  const text = useAiText(report);
  if (!text) return null;
  if (text.isMaking)
    return (
      <Button variant="default" loading={text.isBusy} onClick={text.refresh}>
        正在生成，点此刷新
      </Button>
    );
  return (
    <>
      <Button variant="default" leftSection={<IconSparkles size={16} aria-hidden />} loading={text.isBusy} onClick={text.ask}>
        {text.verb}AI综合解读
      </Button>
      {report.aistatus === AiStatus.failed && (
        <Text size="xs" c="dimmed">
          上次没有生成成功，报告仍使用规则引擎的文字{text.lastfault && `（${text.lastfault}）`}。
        </Text>
      )}
    </>
  );
}
