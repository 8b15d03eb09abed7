import { Button, Stack, Switch, Text } from '@mantine/core';
import { IconChartLine, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { AiStatus, MentalState } from '#domain/base/enums.ts';
import { isErased } from '#domain/report/report.review.ts';
import { aiStatusText } from '#domain/report/ai/aiStatusText.ts';
import { notify } from '#ui/feedback/notify.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { call } from '#ui/api/call.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { AiTextButton } from '#blocks/aireport/AiTextButton.tsx';
import { VoidSheetButton } from '#blocks/staffexam/VoidSheet.tsx';
import { getCUserReport, getCUserReportPageList, showOrHiddenReport } from '#features/report/report.contract.ts';
import { getReportHistory } from '#features/report/review/review.contract.ts';

const ReportHistory = lazyDialog(() => import('#features/report/page/ReportHistory.tsx').then((file) => file.ReportHistory));

/** What the report is about, whether its person reads it, and the ways to the trend, the case and the versions. */
export function ReportSide({ response: { report, version, staff } }: { response: ResponseOf<typeof getCUserReport> }) {
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const navigate = useNavigate();
  const show = useActionMutation(showOrHiddenReport, {
    invalidates: [getCUserReport, getCUserReportPageList],
    onDone: ({ refused }) => refused[0] && notify.error(`暂不能显示：${refused[0].why}`),
  });
  const setShown = (isshow: 0 | 1) =>
    show.mutate(
      { reportcodes: [report.reportcode], isshow },
      {
        onSuccess: ({ updated }) => {
          if (updated > 0)
            notifyWithUndo(isshow === 1 ? '本人现在可以看到这份报告' : '已对本人隐藏', () =>
              call(showOrHiddenReport, { reportcodes: [report.reportcode], isshow: isshow === 1 ? 0 : 1 }),
            );
        },
      },
    );
  const isGone = isErased(staff);
  const formcode = report.quotas[0]?.quotacode.split('.')[0];
  return (
    <Section title="报告">
      <Stack gap="sm">
        <Facts
          facts={[
            ['受测者', report.username],
            ['方案', report.planname],
            ['提交时间', report.submittime.slice(0, 16)],
            ['情绪状态', <LevelBadge key="level" level={report.overalllevel} label={MentalState.label(report.mentalstate)} />],
            ...(isGone
              ? [['报告文字', '已删除'] as const]
              : [
                  [
                    '报告文字',
                    report.aistatus === AiStatus.none ? '规则引擎生成' : `AI综合解读：${aiStatusText(report.aistatus)}`,
                  ] as const,
                  ['版本', `第 ${version} 版`] as const,
                ]),
          ]}
        />
        {!isGone && (
          <Can call={showOrHiddenReport}>
            <Switch
              label="向本人显示"
              description={report.isshow ? '本人可在作答页查看“本人版”' : '本人看不到这份报告'}
              checked={report.isshow === 1}
              disabled={show.isPending}
              onChange={(event) => setShown(event.currentTarget.checked ? 1 : 0)}
            />
          </Can>
        )}
        {!isGone && <AiTextButton report={report} />}
        {can(getReportHistory) && (
          <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setIsHistoryOpen(true)}>
            版本与查看记录
          </Button>
        )}
        {formcode && (
          <Button
            component={Link}
            to={`/trend/${report.cuserid}?formcode=${formcode}`}
            variant="default"
            leftSection={<IconChartLine size={16} aria-hidden />}
          >
            查看得分趋势
          </Button>
        )}
        {report.warningcode && (
          <Button component={Link} to={`/earlyWarning/case/${report.warningcode}`} variant="light" color="red">
            打开预警个案
          </Button>
        )}
        {!isGone && <VoidSheetButton examcode={report.examcode} who={report.username} onDone={() => void navigate('/reports')} />}
        <Text size="xs" c="dimmed">
          查看报告会留下记录。
        </Text>
      </Stack>
      {isHistoryOpen && <ReportHistory reportcode={report.reportcode} onClose={() => setIsHistoryOpen(false)} />}
    </Section>
  );
}
