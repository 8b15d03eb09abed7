import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import paper from '#blocks/report/report.module.css';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { exportReleasedReport, getReleasedReport } from '#features/teamreport/released/released.contract.ts';
import { TeamReportBlock } from '#features/teamreport/TeamReportBlock.tsx';

/** One report as the authority reads it, with its files. */
export default function ReleasedReportPage() {
  const [params] = useSearchParams();
  const of = (name: string) => params.get(name) ?? '';
  const teamreportcode = of('teamreportcode');
  const request = { appid: of('appid'), year: of('year'), term: of('term'), ...(teamreportcode && { teamreportcode }) };
  const read = useActionQuery(getReleasedReport, request, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {({ content, insname, periodname }) => {
        const name = `团体报告_${insname}_${periodname}`;
        return (
          <>
            <Group gap="sm" mb="sm" data-noprint>
              <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
                打印
              </Button>
              <ExportButton action={exportReleasedReport} request={{ ...request, format: 'pdf' }} title={`${name}.pdf`} small>
                下载 PDF
              </ExportButton>
              <ExportButton action={exportReleasedReport} request={{ ...request, format: 'docx' }} title={`${name}.docx`} small>
                下载 Word
              </ExportButton>
              <Anchor component={Link} to="/statistics/usersReportS" size="sm">
                返回团体报告列表
              </Anchor>
            </Group>
            <article className={paper['paper']} aria-label={content.title}>
              <header className={paper['cover']}>
                <h1>{content.title}</h1>
                <Text ta="center" c="dimmed">
                  {insname} · {periodname}
                </Text>
              </header>
              {content.sections.map((section, index) => (
                <section key={section.key} className={paper['section']} data-section={section.key}>
                  <h2>
                    {index + 1}. {section.title}
                  </h2>
                  {section.blocks.map((block, at) => (
                    <TeamReportBlock key={at} block={block} note={`${insname} · ${periodname}`} />
                  ))}
                </section>
              ))}
              <footer className={paper['foot']}>
                {content.disclaimer} · 规则引擎生成（{content.engine}） · 数据截至 {content.generatedat.slice(0, 16)}
              </footer>
            </article>
          </>
        );
      }}
    </Loaded>
  );
}
