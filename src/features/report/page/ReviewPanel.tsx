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
import { getCUserReport, getCUserReportPageList, updateReport } from '#features/report/report.contract.ts';
import classes from '#blocks/report/report.module.css';

type ReportResponse = ResponseOf<typeof getCUserReport>;
interface Draft {
  conclusion: string;
  advice: string;
  /** the version of the report that the draft changes */
  version: number;
}

/**
 * Renders the conclusion and the advice of the staff. The browser keeps the draft until the save. When another person saved
 * meanwhile, the panel shows both texts and the writer decides. `onReviewed` goes to the next report; Ctrl and Enter review.
 */
export function ReviewPanel({ response, onReviewed }: { response: ReportResponse; onReviewed?: (() => void) | undefined }) {
  const { report, conclusion, advice, version } = response;
  const key = `draft.${report.reportcode}`;
  const [draft, setDraft] = useState<Draft>(() => readPreference<Draft>(key) ?? { conclusion, advice, version });
  const isDirty = draft.conclusion !== conclusion || draft.advice !== advice;
  const isOutdated = version > draft.version;
  const client = useQueryClient();
  const save = useActionMutation(updateReport, {
    invalidates: [getCUserReport, getCUserReportPageList],
    successMessage: '已保存',
  });
  useUnsaved(isDirty);
  useEffect(() => {
    const timer = setTimeout(() => savePreference(key, isDirty ? draft : null), 400);
    return () => clearTimeout(timer);
  }, [key, draft, isDirty]);
  // Another person saved, and there is no draft to lose: show the saved texts.
  if (isOutdated && !isDirty) setDraft({ conclusion, advice, version });

  if (!can(updateReport))
    return (
      <Section title="审核">
        <Facts
          facts={[
            ['状态', ReportStatus.label(report.status)],
            ['审核人', response.reviewer],
            ['审核时间', response.reviewtime],
          ]}
        />
      </Section>
    );
  const canReview = report.status !== 2 || isDirty;
  const send = (status?: 2) => {
    // The server trims too. Untrimmed text would look like a change by another person.
    const trimmed = { conclusion: draft.conclusion.trim(), advice: draft.advice.trim(), version: draft.version };
    setDraft(trimmed);
    save.mutate(
      { reportcode: report.reportcode, ...trimmed, ...(status ? { status } : {}) },
      {
        onSuccess: () => {
          savePreference(key, null);
          if (status) onReviewed?.();
        },
      },
    );
  };
  const conflictingReport = save.error instanceof ApiError && save.error.code === 140002 ? (save.error.data as Draft) : undefined;
  const hasConflict = conflictingReport !== undefined || (isOutdated && isDirty);
  // The other person's texts come with the error, or with a newer read of the report.
  const latest = conflictingReport ?? { conclusion, advice, version };
  const resolveConflict = (next: Draft) => {
    save.reset();
    setDraft(next);
    void client.invalidateQueries({ queryKey: [getCUserReport.name] });
  };
  return (
    <Section
      title="结论与审核"
      right={<EnumBadge of={ReportStatus} code={report.status} tones={{ 1: 'amber', 2: 'green', 9: 'red' }} />}
    >
      <Stack
        gap="sm"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || hasConflict || !canReview || save.isPending) return;
          event.preventDefault();
          send(2);
        }}
      >
        {hasConflict && (
          <Alert className={classes['attention'] ?? ''} title="他人已修改" role="alert">
            <Text size="sm">现有结论：{latest.conclusion || '（空）'}</Text>
            <Text size="sm">现有处理意见：{latest.advice || '（空）'}</Text>
            <Group gap="xs" mt="xs">
              <Button size="xs" variant="default" onClick={() => resolveConflict(latest)}>
                采用现有内容
              </Button>
              <Button size="xs" onClick={() => resolveConflict({ ...draft, version: latest.version })}>
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
          {isDirty
            ? '草稿已保留在本浏览器，保存后写入报告'
            : response.reviewtime
              ? `${response.reviewer} 于 ${response.reviewtime.slice(0, 16)} 审核`
              : '尚未审核'}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={!isDirty || hasConflict} loading={save.isPending} onClick={() => send()}>
            保存
          </Button>
          <Button disabled={hasConflict || !canReview} loading={save.isPending} onClick={() => send(2)}>
            {report.status === 2 ? '保存并重新审核' : onReviewed ? '审核通过，下一份' : '审核通过'}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
