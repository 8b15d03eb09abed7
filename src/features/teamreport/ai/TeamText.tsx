import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { AiStatus } from '#domain/base/enums.ts';
import { aiStatusText } from '#domain/report/ai/aiStatusText.ts';
import { ruleSection } from '#domain/teamreport/ai/teamAiSection.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useAiSettings } from '#blocks/aireport/AiTextButton.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { generateAiReport, reviewTeamReportText } from '#features/aireport/aireport.contract.ts';
import { TeamReportBlock } from '#features/teamreport/TeamReportBlock.tsx';
import { getTeamReport, getTeamReportPageList } from '#features/teamreport/teamreport.contract.ts';

type Report = ResponseOf<typeof getTeamReport>;

const tones = { 0: 'gray', 1: 'amber', 2: 'amber', 3: 'green', 9: 'red' } as const;
/** The state of the text on a group report. */
export const TeamTextBadge = ({ aistatus }: { aistatus: number }) => (
  <Badge tone={tones[aistatus as keyof typeof tones]}>{aiStatusText(aistatus)}</Badge>
);

const lists = [getTeamReport, getTeamReportPageList];

/** 生成, 重新生成, 采用 and 不采用 for the newest snapshot of a report, with the reason where none is offered. */
export function TeamTextSteps({ report }: { report: Report }) {
  const { teamreportcode, version, aistatus, aitime, isoutdated } = report;
  const settings = useAiSettings('group.ai');
  const generate = useActionMutation(generateAiReport, { invalidates: lists });
  const review = useActionMutation(reviewTeamReportText, { invalidates: lists, successMessage: '操作成功' });
  const hasText = aistatus === AiStatus.made || aistatus === AiStatus.reviewed;
  const isMaking = aistatus === AiStatus.making;
  const ask = async () => {
    const words = `${hasText ? '现有文字将被替换，并须重新审核。' : ''}发送的内容不含姓名、学校、班级、单位和人数少的分组。`;
    if (await confirm(words)) generate.mutate({ teamreportcode, ...(hasText && { force: 1 as const }) });
  };
  const decide = (agreed: 0 | 1) => review.mutate({ teamreportcode, version, aitime, agreed });
  const discard = async () => {
    if (await confirm({ text: '不采用后，这段文字会删除，报告使用规则引擎的文字。', danger: true })) decide(0);
  };
  return (
    <Stack gap="xs" align="flex-start">
      {can(reviewTeamReportText) && aistatus === AiStatus.made && (
        <Group gap="xs">
          <Button loading={review.isPending} onClick={() => decide(1)}>
            审核通过
          </Button>
          <Button variant="default" disabled={review.isPending} onClick={() => void discard()}>
            不采用
          </Button>
        </Group>
      )}
      {settings && isMaking && (
        <Button variant="default" loading={generate.isPending} onClick={() => generate.mutate({ teamreportcode })}>
          正在生成，点此刷新
        </Button>
      )}
      {settings && !isMaking && isoutdated === 0 && (
        <Button
          variant="default"
          leftSection={<IconSparkles size={16} aria-hidden />}
          loading={generate.isPending}
          onClick={() => void ask()}
        >
          {hasText || aistatus === AiStatus.failed ? '重新生成' : '生成AI综合解读'}
        </Button>
      )}
      {settings && isoutdated === 1 && (
        <Text size="xs" c="dimmed">
          数据已更新。请先重新生成报告，再生成AI综合解读。
        </Text>
      )}
      {aistatus === AiStatus.failed && (
        <Text size="xs" c="dimmed">
          上次没有生成成功，报告仍使用规则引擎的文字{settings?.lastfault && `（${settings.lastfault}）`}。
        </Text>
      )}
      {aistatus === AiStatus.reviewed && report.aireviewname && (
        <Text size="xs" c="dimmed">
          {report.aireviewname}已审核，{aitime.slice(0, 16)} 生成
        </Text>
      )}
    </Stack>
  );
}

/** The text on a report: the one of the AI provider, else the narrative of the rules. */
export function TeamText({ report }: { report: Report }) {
  const section = report.content.sections.find(({ key }) => key === 'ai') ?? ruleSection(report.content);
  return (
    <Stack gap="md">
      {report.isoutdated === 1 && (
        <Alert color="orange" role="status" title="数据已更新">
          答卷或名单在生成之后有变化，以下文字说的是 {report.datatime.slice(0, 16)} 的数据。
        </Alert>
      )}
      <section aria-label={section.title}>
        {section.blocks.map((block, at) => (
          <TeamReportBlock key={at} block={block} note="" />
        ))}
      </section>
      <TeamTextSteps report={report} />
    </Stack>
  );
}
