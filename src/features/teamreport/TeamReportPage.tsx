import { Alert, Anchor, Badge, Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { IconPrinter, IconRefresh } from '@tabler/icons-react';
import type { ResponseOf } from '#contract/action.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { can, hasPermission } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link, useParams, useSearchParams } from '#ui/router/router.tsx';
import paper from '#blocks/report/report.module.css';
import { TeamTextBadge, TeamTextSteps } from '#features/teamreport/ai/TeamText.tsx';
import { TeamReportBlock } from '#features/teamreport/TeamReportBlock.tsx';
import { exportTeamReport, exportTeamReportAnnex } from '#features/teamreport/teamfile.contract.ts';
import {
  getTeamReport,
  getTeamReportPageList,
  insertTeamReport,
  showOrHiddenTeamReport,
} from '#features/teamreport/teamreport.contract.ts';

type Report = ResponseOf<typeof getTeamReport>;

/** The page of one group report: its parts, its files, who of the class owners reads it, and its versions. */
export default function TeamReportPage() {
  const { teamreportcode = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const version = Number(params.get('version')) || undefined;
  const read = useActionQuery(getTeamReport, { teamreportcode, ...(version ? { version } : {}) }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(report) => (
        <div className={report.isownerpart ? undefined : paper['layout']}>
          <div style={{ minWidth: 0 }}>
            <Toolbar report={report} version={version} />
            {report.isoutdated === 1 && <Outdated teamreportcode={teamreportcode} />}
            {report.isownerpart === 1 && (
              <Alert mb="sm" color="gray" role="note" data-noprint>
                以下是机构向班级负责人显示的部分，不含测评结果。
              </Alert>
            )}
            <Paper report={report} />
          </div>
          {report.isownerpart === 0 && (
            <aside className={paper['side']} data-noprint aria-label="版本与显示">
              <Side
                report={report}
                onVersion={(next) => setParams(next === report.versions[0]?.version ? {} : { version: String(next) })}
              />
            </aside>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Toolbar({ report, version }: { report: Report; version: number | undefined }) {
  const { teamreportcode, hasannex, isownerpart } = report;
  const request = { teamreportcode, ...(version ? { version } : {}) };
  return (
    <Group gap="sm" mb="sm" data-noprint>
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
        打印
      </Button>
      {isownerpart === 0 && (
        <>
          <ExportButton
            action={exportTeamReport}
            request={{ ...request, format: 'pdf' }}
            title={`团体报告_${teamreportcode}.pdf`}
            small
          >
            下载 PDF
          </ExportButton>
          <ExportButton
            action={exportTeamReport}
            request={{ ...request, format: 'docx' }}
            title={`团体报告_${teamreportcode}.docx`}
            small
          >
            下载 Word
          </ExportButton>
          {hasannex === 1 && (
            <ApprovedExport action={exportTeamReportAnnex} request={{ teamreportcode }} title="团体报告名单附件">
              名单附件
            </ApprovedExport>
          )}
        </>
      )}
    </Group>
  );
}

function Outdated({ teamreportcode }: { teamreportcode: string }) {
  const renew = useActionMutation(insertTeamReport, {
    invalidates: [getTeamReport, getTeamReportPageList],
    successMessage: '已按最新数据重新生成',
  });
  return (
    <Alert mb="sm" color="orange" role="status" title="数据已更新" data-noprint>
      <Group justify="space-between" gap="sm">
        <Text size="sm">答卷或名单在生成之后有变化。重新生成会得到新的版本，现在的版本仍可查看。</Text>
        {can(insertTeamReport) && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={renew.isPending}
            onClick={() => renew.mutate({ teamreportcode })}
          >
            重新生成
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Paper({ report }: { report: Report }) {
  const { content, title, version, insname } = report;
  const note = `${title} · 数据截至 ${content.generatedat.slice(0, 16)}`;
  return (
    <article className={paper['paper']} aria-label={content.title}>
      <header className={paper['cover']}>
        <h1>{content.title}</h1>
        <Text ta="center" c="dimmed">
          {insname} · {title} · 第 {version} 版
        </Text>
      </header>
      {content.sections.map((section, index) => (
        <section key={section.key} className={paper['section']} data-section={section.key}>
          <h2>
            {index + 1}. {section.title}
          </h2>
          {section.blocks.map((block, at) => (
            <TeamReportBlock key={at} block={block} note={note} />
          ))}
        </section>
      ))}
      <footer className={paper['foot']}>
        {content.disclaimer} · 规则引擎生成（{content.engine}）
        {content.sections.some(({ key }) => key === 'ai') && '，AI综合解读一段除外'} · 第 {version} 版 · 数据截至{' '}
        {content.generatedat.slice(0, 16)}
      </footer>
    </article>
  );
}

function Side({ report, onVersion }: { report: Report; onVersion: (version: number) => void }) {
  const { versions, version, teams, teamreportcode, createname, datatime } = report;
  return (
    <Stack gap="md">
      <div>
        <Text fw={600} mb={4}>
          版本
        </Text>
        <Select
          aria-label="版本"
          value={String(version)}
          onChange={(next) => next && onVersion(Number(next))}
          allowDeselect={false}
          data={versions.map((one) => ({
            value: String(one.version),
            label: `第 ${one.version} 版 · ${one.datatime.slice(0, 16)}`,
          }))}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {createname} 生成，数据截至 {datatime.slice(0, 16)}，编号 {teamreportcode}
        </Text>
      </div>
      {hasPermission('group.ai') && version === versions[0]?.version && (
        <div>
          <Group gap="xs" mb={8}>
            <Text fw={600}>AI综合解读</Text>
            <TeamTextBadge aistatus={report.aistatus} />
          </Group>
          <TeamTextSteps report={report} />
        </div>
      )}
      {can(showOrHiddenTeamReport) && <ForAuthority report={report} />}
      {teams.length > 0 && <Release teams={teams} />}
      <Anchor component={Link} to="/statistics/usersReportS" size="sm">
        返回团体报告列表
      </Anchor>
    </Stack>
  );
}

/** Whether the authority of the region finds the report. It reads the released figures of the period, never this snapshot. */
function ForAuthority({ report: { teamreportcode, isshow } }: { report: Report }) {
  const show = useActionMutation(showOrHiddenTeamReport, { invalidates: [getTeamReport], successMessage: '操作成功' });
  return (
    <div>
      <Switch
        label="对主管部门显示"
        checked={isshow === 1}
        disabled={show.isPending}
        onChange={(event) => show.mutate({ teamreportcode, isshow: event.currentTarget.checked ? 1 : 0 })}
      />
      <Text size="xs" c="dimmed" mt={4}>
        主管部门看到的是同一学期的发布数据，不含班级，也不是这份报告里的数字。
      </Text>
    </div>
  );
}

/** Which owners of classes read the parts without results. */
function Release({ teams }: { teams: Report['teams'] }) {
  const show = useActionMutation(showOrHiddenTeamReport, {
    invalidates: [getTeamReport, getTeamReportPageList],
    successMessage: '操作成功',
  });
  const canShow = can(showOrHiddenTeamReport);
  const shown = teams.filter(({ showreport }) => showreport === 1);
  const isAll = shown.length === teams.length;
  return (
    <div>
      <Text fw={600} mb={4}>
        对班级负责人显示
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        负责人只看到范围、方法、建议和说明，不含测评结果。
      </Text>
      {canShow && (
        <Button
          size="compact-sm"
          variant="default"
          mb="xs"
          disabled={show.isPending}
          onClick={() => show.mutate({ teamcodes: teams.map(({ teamcode }) => teamcode), isshow: isAll ? 0 : 1 })}
        >
          {isAll ? '全部隐藏' : '全部显示'}
        </Button>
      )}
      <Stack gap={6}>
        {teams.map(({ teamcode, teamname, ownername, showreport }) => (
          <Group key={teamcode} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">
              {teamname}
              <Text span size="xs" c="dimmed">
                {' '}
                {ownername || '未设负责人'}
              </Text>
            </Text>
            {canShow ? (
              <Switch
                aria-label={`对${teamname}的负责人显示`}
                checked={showreport === 1}
                disabled={show.isPending}
                onChange={(event) => show.mutate({ teamcodes: [teamcode], isshow: event.currentTarget.checked ? 1 : 0 })}
              />
            ) : (
              <Badge variant="light" color={showreport ? 'green' : 'gray'}>
                {showreport ? '已显示' : '未显示'}
              </Badge>
            )}
          </Group>
        ))}
      </Stack>
    </div>
  );
}
