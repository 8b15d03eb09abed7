import { Button, Checkbox, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { emptyTemplate, templateFields, type ReportTemplate } from '#domain/report/template/template.ts';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { TEMPLATES_PATH } from '#blocks/planlibrary/LibraryTabs.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import {
  getReportTemplateList,
  insertReportTemplate,
  updateReportTemplate,
  type TemplateRow,
} from '#features/reporttemplate/reporttemplate.contract.ts';
import { SectionList } from '#features/reporttemplate/page/SectionList.tsx';
import { TemplatePreview } from '#features/reporttemplate/page/TemplatePreview.tsx';
import classes from '#features/reporttemplate/page/template.module.css';

/** The editor of a report template: at the left its sections and words, at the right the report as it will look. */
export default function TemplateEditPage() {
  const [params] = useSearchParams();
  const copyfrom = params.get('copyfrom');
  const templatecode = params.get('templatecode') ?? copyfrom ?? '';
  const read = useActionQuery(getReportTemplateList, templatecode ? { page: 1, pageSize: 1, templatecode } : undefined, {
    quiet: true,
  });
  if (!templatecode) return <NewTemplate />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {({ rows: [row] }) => {
        if (!row) return <EmptyState title="没有这个报告模板" hint="它可能已被删除" />;
        if (copyfrom) return <NewTemplate original={row} />;
        return <OwnTemplate key={row.templatecode} row={row} />;
      }}
    </Loaded>
  );
}

/** A template of another institution keeps its logo: the copy begins with the usual one. */
function NewTemplate({ original }: { original?: TemplateRow }) {
  const navigate = useNavigate();
  const form = useActionForm(insertReportTemplate, {
    initial: {
      templatename: original ? `${original.templatename}（副本）`.slice(0, 40) : '',
      sections: original ? { ...original.sections, logofileid: null } : emptyTemplate(),
    },
    invalidates: [getReportTemplateList],
    onDone: () => navigate(TEMPLATES_PATH),
  });
  return <TemplateForm form={form as never} title="新建报告模板" logourl="" isReadOnly={false} />;
}

function OwnTemplate({ row }: { row: TemplateRow }) {
  const form = useActionForm(updateReportTemplate, {
    initial: {
      templatecode: row.templatecode,
      version: row.version,
      templatename: row.templatename,
      sections: row.sections,
    },
    invalidates: [getReportTemplateList],
  });
  const isReadOnly = !row.own || !can(updateReportTemplate);
  return <TemplateForm form={form as never} title={row.templatename} logourl={row.logourl} isReadOnly={isReadOnly} />;
}

interface FormProps {
  form: ReturnType<typeof useActionForm<typeof insertReportTemplate>>;
  title: string;
  logourl: string;
  isReadOnly: boolean;
}

function TemplateForm({ form, title, logourl, isReadOnly }: FormProps) {
  const navigate = useNavigate();
  const template = form.values.sections as ReportTemplate;
  const change = (part: Partial<ReportTemplate>) => form.set('sections', { ...template, ...part });
  const toggle = (code: string, isChosen: boolean) =>
    change({ fields: isChosen ? [...template.fields, code] : template.fields.filter((field) => field !== code) });
  return (
    <PageStack>
      <form ref={form.place} onSubmit={form.submit} noValidate>
        <div className={classes['layout']}>
          <Section
            title={title}
            right={
              <Group gap="xs">
                <Button variant="default" onClick={() => navigate(TEMPLATES_PATH)}>
                  返回
                </Button>
                {!isReadOnly && (
                  <Button type="submit" loading={form.busy}>
                    保存
                  </Button>
                )}
              </Group>
            }
          >
            <Stack gap="md">
              <ConflictNotice form={form} />
              {isReadOnly && (
                <Text size="sm" c="dimmed">
                  这个模板属于其他机构，可以在方案里选用，也可以复制后修改。
                </Text>
              )}
              <TextInput {...form.field('templatename')} readOnly={isReadOnly} maxLength={40} description="在方案里按名称选用" />
              <TextInput
                label="报告标题"
                required
                maxLength={30}
                readOnly={isReadOnly}
                value={template.title}
                error={form.error('sections.title')}
                data-path="sections.title"
                onChange={(event) => change({ title: event.currentTarget.value })}
              />
              {!isReadOnly && (
                <PictureField
                  label="标志"
                  use="logo"
                  savedUrl={logourl}
                  value={
                    template.logofileid === null && logourl === ''
                      ? undefined
                      : logourl && template.logofileid
                        ? undefined
                        : template.logofileid
                  }
                  onPick={(fileid) => change({ logofileid: fileid ?? null })}
                  hint="印在 PDF 每页的页眉；不选则用机构的标志"
                />
              )}
              <Textarea
                label="保密说明"
                autosize
                minRows={3}
                maxLength={300}
                readOnly={isReadOnly}
                placeholder="留空则用通用的保密说明"
                description={`替换“阅读说明”里关于保密的一段，${template.notice.length}/300 字`}
                value={template.notice}
                error={form.error('sections.notice')}
                data-path="sections.notice"
                onChange={(event) => change({ notice: event.currentTarget.value })}
              />
              <div>
                <Title order={2} size="h5" mb={4}>
                  章节
                </Title>
                <Text size="xs" c="dimmed" mb={6}>
                  用箭头按钮或 Alt+↑、Alt+↓ 调整顺序
                </Text>
                <SectionList
                  sections={template.sections}
                  onChange={(sections) => change({ sections })}
                  readOnly={isReadOnly}
                  errorAt={form.error}
                />
              </div>
              <div data-path="sections.fields" tabIndex={-1}>
                <Title order={2} size="h5" mb={6}>
                  基本信息里的项目
                </Title>
                <div className={classes['fields']}>
                  {templateFields.map(({ code, label, population }) => (
                    <Checkbox
                      key={code}
                      label={population ? `${label}（${population}）` : label}
                      disabled={isReadOnly}
                      checked={template.fields.includes(code)}
                      onChange={(event) => toggle(code, event.currentTarget.checked)}
                    />
                  ))}
                </div>
                {form.error('sections.fields') && (
                  <Text size="xs" c="red">
                    {form.error('sections.fields')}
                  </Text>
                )}
              </div>
            </Stack>
          </Section>
          <Section title="预览">
            <TemplatePreview template={template} />
          </Section>
        </div>
      </form>
    </PageStack>
  );
}
