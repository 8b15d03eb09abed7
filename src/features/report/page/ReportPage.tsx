import { Alert, Anchor, Button, Group, Kbd, SegmentedControl, Text } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { shortFormOf } from '#domain/report/report.ts';
import { isErased } from '#domain/report/report.review.ts';
import { pathOf } from '#contract/menu.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Link, useLocation, useParams, useSearchParams } from '#ui/router/router.tsx';
import { useUser } from '#ui/api/session.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import { ReportPdfButton } from '#blocks/reportpdf/ReportPdfButton.tsx';
import { ReportPaper } from '#blocks/report/ReportPaper.tsx';
import { ReportSide } from '#features/report/page/ReportSide.tsx';
import { ReviewPanel } from '#features/report/page/ReviewPanel.tsx';
import { useWalk, type Walk } from '#features/report/page/useWalk.ts';
import classes from '#blocks/report/report.module.css';

/**
 * The page of one report: the staff's version with its reasons or the person's version, with conclusion, review and visibility. The
 * address names the report, an earlier version (`version`), and the list from which it was opened (`from`).
 */
export default function ReportPage({ isShortForm = false }: { isShortForm?: boolean }) {
  const [params] = useSearchParams();
  const reportcode = useParams()['reportcode'] ?? params.get('reportcode') ?? '';
  const version = Number(params.get('version')) || undefined;
  const read = useActionQuery(getCUserReport, reportcode ? { reportcode, ...(version ? { version } : {}) } : undefined, {
    quiet: true,
  });
  const [audience, setAudience] = useState<'staff' | 'self'>('staff');
  const user = useUser();
  const listPlace = useWalk(params.get('from'), reportcode, isShortForm ? pathOf('individual.maternity1') : undefined);
  if (!reportcode) return <EmptyState title="没有指定报告" hint="请从报告列表打开一份报告" />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(response) => {
        const isGone = isErased(response.staff);
        const content = isShortForm ? shortFormOf(response[audience]) : response[audience];
        return (
          <div className={classes['layout']}>
            <div style={{ minWidth: 0 }}>
              <Group justify="space-between" gap="sm" mb="sm" data-noprint>
                <SegmentedControl
                  aria-label="读者"
                  value={audience}
                  onChange={(next) => setAudience(next as 'staff' | 'self')}
                  data={[
                    { value: 'staff', label: '工作人员版' },
                    { value: 'self', label: '本人版' },
                  ]}
                />
                {listPlace && <WalkButtons walk={listPlace} />}
                {!isGone && (
                  <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
                    打印
                  </Button>
                )}
                {!version && !isGone && <ReportPdfButton reportcode={reportcode} audience={audience} isShortForm={isShortForm} />}
              </Group>
              {version && <FormerNote response={response} />}
              <ReportPaper content={content} version={response.version} reader={user?.realname || user?.username || ''} />
            </div>
            <aside className={classes['side']} data-noprint aria-label="报告信息与审核">
              <ReportSide response={response} />
              {!version && !isGone && (
                <ReviewPanel
                  key={response.report.reportcode}
                  response={response}
                  onReviewed={listPlace?.goTo.next ?? undefined}
                />
              )}
            </aside>
          </div>
        );
      }}
    </Loaded>
  );
}

function WalkButtons({ walk: { index, total, goTo } }: { walk: Walk }) {
  return (
    <Group gap="xs" wrap="nowrap" component="nav" aria-label="列表中的报告">
      <Button
        variant="default"
        size="compact-md"
        disabled={!goTo.previous}
        onClick={goTo.previous}
        leftSection={<IconArrowLeft size={14} aria-hidden />}
      >
        上一份
      </Button>
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        第 {index} / {total} 份
      </Text>
      <Button
        variant="default"
        size="compact-md"
        disabled={!goTo.next}
        onClick={goTo.next}
        rightSection={<IconArrowRight size={14} aria-hidden />}
      >
        下一份
      </Button>
      <Text size="xs" c="dimmed" visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
        <Kbd size="xs">K</Kbd> <Kbd size="xs">J</Kbd>
      </Text>
    </Group>
  );
}

/** Says that an earlier version is shown, and whether it was about another person. It is printed too. */
function FormerNote({ response: { version, correctedtime, staff } }: { response: ResponseOf<typeof getCUserReport> }) {
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  params.delete('version');
  return (
    <Alert
      mb="sm"
      role="note"
      color={correctedtime ? 'red' : 'gray'}
      title={correctedtime ? `第 ${version} 版，已更正` : `第 ${version} 版，不是现行版本`}
    >
      {correctedtime
        ? `这份答卷已于 ${correctedtime.slice(0, 16)} 更正归属。以下文字写的是另一位受测者，不再使用。`
        : `以下是当时的内容，规则文字按 ${staff.engine} 书写。`}{' '}
      <Anchor component={Link} to={`${pathname}?${params}`} data-noprint>
        查看现行版本
      </Anchor>
    </Alert>
  );
}
