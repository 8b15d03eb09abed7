import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ReportStatus } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { savePreference, readPreference } from '#ui/api/preference.ts';
import { Facts, Section } from '#ui/display/Section.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { getCUserReport, updateReport } from '#features/report/report.contract.ts';
import classes from './report.module.css';

type Opened = ResponseOf<typeof getCUserReport>;
interface Draft {
  conclusion: string;
  advice: string;
  /** the version it was begun on */
  version: number;
}

/**
 * Conclusion and advice of the staff. What is typed is kept in this browser until it is saved; when somebody else saved
 * meanwhile, both texts are shown and the writer decides.
 */
export function ReviewPanel({ opened }: { opened: Opened }) {
  const { report, conclusion, advice, version } = opened;
  const key = `draft.${report.reportcode}`;
  const [draft, setDraft] = useState<Draft>(() => readPreference<Draft>(key) ?? { conclusion, advice, version });
  const dirty = draft.conclusion !== conclusion || draft.advice !== advice;
  const isNewer = version > draft.version;
  const client = useQueryClient();
  const save = useActionMutation(updateReport, { invalidates: [getCUserReport], successMessage: '已保存' });
  useUnsaved(dirty);
  useEffect(() => {
    const timer = setTimeout(() => savePreference(key, dirty ? draft : null), 400);
    return () => clearTimeout(timer);
  }, [key, draft, dirty]);
  // Somebody else's save, and nothing of our own to lose: take it over.
  if (isNewer && !dirty) setDraft({ conclusion, advice, version });

  if (!can(updateReport))
    return (
      <Section title="审核">
        <Facts
          facts={[
            ['状态', ReportStatus.label(report.status)],
            ['审核人', opened.reviewer],
            ['审核时间', opened.reviewtime],
          ]}
        />
      </Section>
    );
  const send = (status?: 2) => {
    // As the server keeps it, so that the answer is not taken for somebody else's text.
    const mine = { conclusion: draft.conclusion.trim(), advice: draft.advice.trim(), version: draft.version };
    setDraft(mine);
    save.mutate(
      { reportcode: report.reportcode, ...mine, ...(status ? { status } : {}) },
      { onSuccess: () => savePreference(key, null) },
    );
  };
  const refused = save.error instanceof ApiError && save.error.code === 140002 ? (save.error.data as Draft) : undefined;
  const conflict = refused !== undefined || (isNewer && dirty);
  // What the other one wrote came with the refusal, or with a newer reading of the report.
  const latest = refused ?? { conclusion, advice, version };
  const settle = (next: Draft) => {
    save.reset();
    setDraft(next);
    void client.invalidateQueries({ queryKey: [getCUserReport.name] });
  };
  return (
    <Section
      title="结论与审核"
      right={<EnumBadge of={ReportStatus} code={report.status} tones={{ 1: 'amber', 2: 'green', 9: 'red' }} />}
    >
      <Stack gap="sm">
        {conflict && (
          <Alert className={classes['attention'] ?? ''} title="他人已修改" role="alert">
            <Text size="sm">现有结论：{latest.conclusion || '（空）'}</Text>
            <Text size="sm">现有处理意见：{latest.advice || '（空）'}</Text>
            <Group gap="xs" mt="xs">
              <Button size="xs" variant="default" onClick={() => settle(latest)}>
                采用现有内容
              </Button>
              <Button size="xs" onClick={() => settle({ ...draft, version: latest.version })}>
                保留我的内容
              </Button>
            </Group>
          </Alert>
        )}
        <Textarea
          label="结论"
          autosize
          minRows={3}
          maxLength={2000}
          value={draft.conclusion}
          placeholder="不填写时，报告使用系统建议的结论"
          onChange={(event) => setDraft({ ...draft, conclusion: event.currentTarget.value })}
        />
        <Textarea
          label="处理意见"
          autosize
          minRows={3}
          maxLength={2000}
          value={draft.advice}
          onChange={(event) => setDraft({ ...draft, advice: event.currentTarget.value })}
        />
        <Text size="xs" c="dimmed" role="status">
          {dirty
            ? '草稿已保留在本浏览器，保存后写入报告'
            : opened.reviewtime
              ? `${opened.reviewer} 于 ${opened.reviewtime.slice(0, 16)} 审核`
              : '尚未审核'}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={!dirty || conflict} loading={save.isPending} onClick={() => send()}>
            保存
          </Button>
          <Button disabled={conflict || (report.status === 2 && !dirty)} loading={save.isPending} onClick={() => send(2)}>
            {report.status === 2 ? '保存并重新审核' : '审核通过'}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
