import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ContentAudience, ShelfStatus } from '#domain/content/content.ts';
import { lengthWords } from '#domain/content/duration.ts';
import { formatNumber } from '#domain/base/number.ts';
import { ApiError } from '#contract/apiError.ts';
import { pathOf } from '#contract/menu.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { levelWords, populationWords } from '#blocks/content/ReaderFields.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { RowMenu, RowMenuDelete } from '#ui/list/RowMenu.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useNavigate, useParams } from '#ui/router/router.tsx';
import { getCourse, type CourseRow } from '#features/classroom/course.contract.ts';
import { priceWords } from '#features/classroom/course.labels.ts';
import { LessonList } from '#features/classroom/LessonList.tsx';
import { useShelf } from '#features/classroom/useShelf.ts';
import classes from '#features/classroom/course.module.css';

const CourseDrawer = lazyDialog(() => import('#features/classroom/CourseDrawer.tsx').then((file) => file.CourseDrawer));

/** The refusal of a course that does not exist or was deleted. */
const NOT_FOUND = 130001;
const listPath = pathOf('operations.courses');

/** One course: what it is, whether it is on the shelf, and its lessons. */
export default function CoursePage() {
  const { courseid = '' } = useParams();
  const id = Number(courseid);
  const isNumber = Number.isSafeInteger(id) && id > 0;
  const read = useActionQuery(getCourse, isNumber ? { courseid: id } : undefined, { quiet: true });
  const isGone = !isNumber || (read.error instanceof ApiError && read.error.code === NOT_FOUND);
  if (isGone)
    return (
      <EmptyState title="没有这门课程" hint="它可能已被删除">
        <Button component={Link} to={listPath}>
          返回云课堂
        </Button>
      </EmptyState>
    );
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(course) => (
        <PageStack>
          <CourseCard course={course} />
          <LessonList course={course} />
        </PageStack>
      )}
    </Loaded>
  );
}

function CourseCard({ course }: { course: CourseRow }) {
  const navigate = useNavigate();
  const [isEditing, setIsEditing] = useState(false);
  const { toggleShelf, remove, isChanging } = useShelf(() => navigate(listPath));
  const isOnShelf = course.status === 1;
  return (
    <Section
      title={
        <span className={classes['heading']}>
          {course.title}
          <EnumBadge of={ShelfStatus} code={course.status} tones={{ 1: 'green' }} />
        </span>
      }
      right={
        <>
          <Button variant="default" onClick={() => setIsEditing(true)}>
            修改课程
          </Button>
          <Button {...(isOnShelf ? { variant: 'default' } : {})} loading={isChanging} onClick={() => void toggleShelf(course)}>
            {isOnShelf ? '下架' : '上架'}
          </Button>
          <RowMenu label={`${course.title}的更多操作`}>
            <RowMenuDelete name={course.title} onConfirm={() => remove(course)} />
          </RowMenu>
        </>
      }
    >
      <div className={classes['course']}>
        <div className={classes['cover']}>
          <Cover kind="course" title={course.title} src={course.coverurl} />
        </div>
        <div className={classes['about']}>
          <Facts
            facts={[
              ['讲师', course.lecturer],
              ['课时', course.lessons === 0 ? '还没有' : `${course.lessons} 节，共 ${lengthWords(course.duration)}`],
              ['价格', priceWords(course)],
              ['可见对象', ContentAudience.label(course.audience)],
              ['人群', populationWords(course.appids)],
              ['推荐给结果等级', levelWords(course.levels)],
              ['打开次数', formatNumber(course.viewcount)],
              ['修改时间', course.updatetime.slice(0, 16)],
            ]}
          />
          {course.intro && (
            <Text size="sm" className={classes['intro'] ?? ''}>
              {course.intro}
            </Text>
          )}
        </div>
      </div>
      {isEditing && <CourseDrawer row={course} onClose={() => setIsEditing(false)} />}
    </Section>
  );
}
