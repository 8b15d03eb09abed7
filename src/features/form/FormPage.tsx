import { Group, Select, Tabs, Title } from '@mantine/core';
import { ExportScaleMenu } from '#blocks/scaleexchange/ExportScaleMenu.tsx';
import { ImportScaleButton } from '#blocks/scaleexchange/ImportScaleButton.tsx';
import { LicenceTier } from '#domain/base/enums.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { useNavigate, useSearchParams, useParams } from '#ui/router/router.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { FormActions } from '#blocks/scaleversions/FormActions.tsx';
import { VersionList } from '#blocks/scaleversions/VersionList.tsx';
import { FormItems } from '#features/form/FormItems.tsx';
import { UsableBadge } from '#features/form/FormListPage.tsx';
import { FormOverview } from '#features/form/FormOverview.tsx';
import { FormPreview } from '#features/form/FormPreview.tsx';
import { FormScoring } from '#features/form/FormScoring.tsx';
import { FormTrial } from '#features/form/trial/FormTrial.tsx';
import { getFormDetail } from '#features/form/form.contract.ts';
import { tierTones } from '#features/form/form.labels.ts';

/** What a reader must know when choosing a version: which one is current, and which one was wrong. */
const describeVersion = ({ version, status }: { version: string; status: number }, currentversion: string): string =>
  status === 3 ? '（已撤回）' : version === currentversion ? '（现行）' : '';

/** 量表详情: one form with its items, its scoring rules, a preview for respondents and trial scoring. */
export default function FormPage() {
  const { formcode = '' } = useParams();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const version = params.get('version') ?? undefined;
  const formQuery = useActionQuery(getFormDetail, { formcode, ...(version ? { version } : {}) }, { quiet: true });
  const changeParams = (changes: Record<string, string | null>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [key, value] of Object.entries(changes))
          if (value === null) next.delete(key);
          else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  return (
    <Loaded read={formQuery} skeleton={<Skeletons.Page />}>
      {(form) => (
        <PageStack>
          <Section>
            <Group justify="space-between" gap="sm">
              <Group gap="sm">
                <Title order={1} size="h3" fz={18}>
                  {form.formname}
                </Title>
                <EnumBadge of={LicenceTier} code={form.tier} tones={tierTones} />
                <UsableBadge row={form} />
              </Group>
              <Group gap="sm">
                <FormActions form={form} onDeleted={() => void navigate('/evaluating/evaluationScale')} />
                {form.versions.length + form.hasdraft > 1 && (
                  <Select
                    aria-label="版本"
                    w={180}
                    allowDeselect={false}
                    value={form.version}
                    data={[
                      ...(form.hasdraft ? [{ value: 'draft', label: '草稿' }] : []),
                      ...form.versions.map((item) => ({
                        value: item.version,
                        label: `版本 ${item.version}${describeVersion(item, form.currentversion)}`,
                      })),
                    ]}
                    onChange={(next) => changeParams({ version: next === form.currentversion ? null : next })}
                  />
                )}
                {form.definition.items.some(({ t }) => t === '') && form.canedit === 0 && (
                  <ImportScaleButton wordingOf={{ formcode, title: form.formname }} />
                )}
                <ExportScaleMenu formcode={formcode} version={version} />
              </Group>
            </Group>
          </Section>
          <Section>
            <Tabs
              value={params.get('tab') ?? 'overview'}
              onChange={(tab) => changeParams({ tab: tab === 'overview' ? null : tab })}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                <Tabs.Tab value="overview">概览</Tabs.Tab>
                <Tabs.Tab value="items">题目与选项</Tabs.Tab>
                <Tabs.Tab value="scoring">计分与分级</Tabs.Tab>
                <Tabs.Tab value="preview">作答预览</Tabs.Tab>
                <Tabs.Tab value="trial">试算</Tabs.Tab>
                <Tabs.Tab value="versions">版本记录</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="overview">
                <FormOverview form={form} />
              </Tabs.Panel>
              <Tabs.Panel value="items">
                <FormItems scale={form.definition} />
              </Tabs.Panel>
              <Tabs.Panel value="scoring">
                <FormScoring scale={form.definition} quotas={form.quotas} />
              </Tabs.Panel>
              <Tabs.Panel value="preview">
                <FormPreview key={form.version} scale={form.definition} version={form.version} />
              </Tabs.Panel>
              <Tabs.Panel value="trial">
                <FormTrial key={form.version} scale={form.definition} quotas={form.quotas} />
              </Tabs.Panel>
              <Tabs.Panel value="versions">
                <VersionList form={form} />
              </Tabs.Panel>
            </Tabs>
          </Section>
        </PageStack>
      )}
    </Loaded>
  );
}
