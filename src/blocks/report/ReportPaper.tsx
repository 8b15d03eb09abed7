import type { ReportContent } from '#domain/report/report.content.ts';
import { ReportBlock } from '#blocks/report/ReportBlock.tsx';
import classes from '#blocks/report/report.module.css';

/** Renders a report: its sections in order, the same on the screen and in print. */
export function ReportPaper({ content, version, reader }: { content: ReportContent; version: number; reader: string }) {
  return (
    <article className={classes['paper']} data-large={content.largefont || undefined} aria-label={content.title}>
      {content.sections.map((section) =>
        section.key === 'cover' ? (
          <header key={section.key} className={classes['cover']}>
            <h1>{section.title}</h1>
            {section.blocks.map((block, index) => (
              <ReportBlock key={index} block={block} />
            ))}
          </header>
        ) : (
          <section key={section.key} className={classes['section']} data-section={section.key}>
            <h2>{section.title}</h2>
            {section.blocks.map((block, index) => (
              <ReportBlock key={index} block={block} />
            ))}
          </section>
        ),
      )}
      <footer className={classes['foot']}>
        {content.disclaimer}
        {content.engine &&
          ` · 规则引擎生成（${content.engine}） · 第 ${version} 版 · 生成于 ${content.generatedat.slice(0, 16)} · ${reader}`}
      </footer>
    </article>
  );
}
