import { Stack, Title } from '@mantine/core';
import { InputType, QuestionType } from '#domain/base/enums.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { conditionText } from '#domain/scoring/scoringText.ts';
import { Badge } from '#ui/display/badges.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import classes from './form.module.css';

/** Shows the items of a form and its option sets. */
export function FormItems({ scale }: { scale: Scale }) {
  if (scale.items.length === 0) return <EmptyState title="该量表没有题目" />;
  const sets = Object.entries(scale.optionsets);
  // Users see letters A, B, C …, because the names of the option sets are internal.
  const toLetter = (name: string | undefined) => {
    const index = sets.findIndex(([setName]) => setName === name);
    return index < 0 ? '—' : `选项 ${String.fromCharCode(65 + (index % 26))}${index >= 26 ? Math.floor(index / 26) : ''}`;
  };
  return (
    <Stack gap="lg">
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="题目">
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">题号</th>
              <th scope="col">题目</th>
              <th scope="col">题型</th>
              <th scope="col">选项</th>
              <th scope="col">说明</th>
            </tr>
          </thead>
          <tbody>
            {scale.items.map((item, index) => (
              <tr key={item.c}>
                <td>{index + 1}</td>
                <td style={{ minWidth: 220 }}>{item.t || '（题目文字待机构上传）'}</td>
                <td style={{ whiteSpace: 'nowrap' }}>
                  {(item.type ?? 1) === 0 ? InputType.label(item.input ?? 0) : QuestionType.label(item.type ?? 1)}
                </td>
                <td style={{ whiteSpace: 'nowrap' }}>{(item.type ?? 1) === 0 ? '—' : toLetter(item.o)}</td>
                <td>
                  {scale.reverse?.includes(item.c) && <Badge tone="amber">反向计分</Badge>}{' '}
                  {item.required === false && <Badge tone="gray">选答</Badge>}
                  {item.showif && ` 仅当${conditionText(scale, item.showif)}时询问`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sets.length > 0 && (
        <div>
          <Title order={2} size="h5" mb="xs">
            选项
          </Title>
          <div className={classes['sets']}>
            {sets.map(([name, rows]) => (
              <table key={name} className={classes['table']} aria-label={toLetter(name)}>
                <thead>
                  <tr>
                    <th scope="col">{toLetter(name)}</th>
                    <th scope="col">计分</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([code, label, score]) => (
                    <tr key={code}>
                      <td>{label || code}</td>
                      <td>{score ?? '—'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ))}
          </div>
        </div>
      )}
    </Stack>
  );
}
