import { Button, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { AiStatus } from '#domain/base/enums.ts';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { generateAiReport, getAiSettings } from '#features/aireport/aireport.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';

interface Props {
  report: { reportcode: string; aistatus: number; valid: number; isshow: number };
}

/** Asks for a text of the AI provider, or for another one. Nothing stands here where the platform or the institution has no provider. */
export function AiTextButton({ report: { reportcode, aistatus, valid, isshow } }: Props) {
  const settings = useActionQuery(getAiSettings, can(generateAiReport) ? {} : undefined, { quiet: true }).data;
  const generate = useActionMutation(generateAiReport, { invalidates: [getCUserReport] });
  if (!settings?.isavailable || !settings.allowed || valid !== 1) return null;
  const hasText = aistatus === AiStatus.made || aistatus === AiStatus.reviewed;
  const ask = async () => {
    const notes = [
      hasText && '现有文字将被替换。',
      isshow === 1 && '生成后须重新审核，审核前本人暂时看不到这份报告。',
      '发送的内容不含姓名、编号、学校等信息。',
    ];
    if (await confirm(notes.filter(Boolean).join(''))) generate.mutate({ reportcode, ...(hasText && { force: 1 as const }) });
  };
  if (aistatus === AiStatus.making)
    return (
      <Button variant="default" loading={generate.isPending} onClick={() => generate.mutate({ reportcode })}>
        正在生成，点此刷新
      </Button>
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSparkles size={16} aria-hidden />}
        loading={generate.isPending}
        onClick={() => void ask()}
      >
        {hasText || aistatus === AiStatus.failed ? '重新生成AI综合解读' : '生成AI综合解读'}
      </Button>
      {aistatus === AiStatus.failed && (
        <Text size="xs" c="dimmed">
          上次没有生成成功，报告仍使用规则引擎的文字{settings.lastfault && `（${settings.lastfault}）`}。
        </Text>
      )}
    </>
  );
}
