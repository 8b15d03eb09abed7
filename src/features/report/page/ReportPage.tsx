import { Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { IconChartLine, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from '#ui/router/router.tsx';
import { useUser } from '#ui/api/session.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { MentalState } from '#domain/base/enums.ts';
import { getCUserReport, getCUserReportPageList, showOrHiddenReport } from '#features/report/report.contract.ts';
import { VoidSheetButton } from '#blocks/staffexam/VoidSheet.tsx';
import { ReportPaper } from '#features/report/page/ReportPaper.tsx';
import { ReviewPanel } from '#features/report/page/ReviewPanel.tsx';
import classes from '#features/report/report.module.css';

/** The page of one report: the staff's version with its reasons or the person's version, with conclusion, review and visibility. */
export default function ReportPage() {
  const { reportcode = '' } = useParams();
  const read = useActionQuery(getCUserReport, { reportcode }, { quiet: true });
  const [audience, setAudience] = useState<'staff' | 'self'>('staff');
  const user = useUser();
  const navigate = useNavigate();
  const show = useActionMutation(showOrHiddenReport, { invalidates: [getCUserReport, getCUserReportPageList] });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(response) => {
        const { report } = response;
        const formcode = report.quotas[0]?.quotacode.split('.')[0];
        return (
          <div className={classes['layout']}>
            <div style={{ minWidth: 0 }}>
              <Group justify="space-between" gap="sm" mb="sm" data-noprint>
                <SegmentedControl
                  aria-label="版本"
                  value={audience}
                  onChange={(next) => setAudience(next as 'staff' | 'self')}
                  data={[
                    { value: 'staff', label: '工作人员版' },
                    { value: 'self', label: '本人版' },
                  ]}
                />
                <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
                  打印
                </Button>
              </Group>
              <ReportPaper content={response[audience]} reader={user?.realname || user?.username || ''} />
            </div>
            <aside className={classes['side']} data-noprint aria-label="报告信息与审核">
              <Section title="报告">
                <Stack gap="sm">
                  <Facts
                    facts={[
                      ['受测者', report.username],
                      ['方案', report.planname],
                      ['提交时间', report.submittime.slice(0, 16)],
                      [
                        '情绪状态',
                        <LevelBadge key="level" level={report.overalllevel} label={MentalState.label(report.mentalstate)} />,
                      ],
                    ]}
                  />
                  <Can call={showOrHiddenReport}>
                    <Switch
                      label="向本人显示"
                      description={report.isshow ? '本人可在作答页查看“本人版”' : '本人看不到这份报告'}
                      checked={report.isshow === 1}
                      disabled={show.isPending}
                      onChange={(event) =>
                        show.mutate({ reportcodes: [report.reportcode], isshow: event.currentTarget.checked ? 1 : 0 })
                      }
                    />
                  </Can>
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
                  <VoidSheetButton examcode={report.examcode} who={report.username} onDone={() => void navigate('/reports')} />
                  <Text size="xs" c="dimmed">
                    查看报告会留下记录。
                  </Text>
                </Stack>
              </Section>
              <ReviewPanel key={report.reportcode} response={response} />
            </aside>
          </div>
        );
      }}
    </Loaded>
  );
}
