import { Progress } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { lengthWords } from '#domain/content/duration.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { getShelfCourses } from '#features/content/content.contract.ts';
import type { ShelfCourse } from '#features/content/shelf.contract.ts';
import { priceWords, progressWords } from '#features/content/staff/courseWords.ts';
import { ShelfList } from '#features/content/staff/ShelfList.tsx';
import classes from './shelf.module.css';

/** 课程: cards of the courses with the own progress. */
export function CoursesTab() {
  const list = useList(getShelfCourses);
  return (
    <ShelfList list={list} empty="课程" hint="上架后会出现在这里" reset={undefined}>
      <ul className={classes['grid']} aria-label="课程">
        {list.rows.map((course) => (
          <CourseCard key={course.courseid} course={course} />
        ))}
      </ul>
    </ShelfList>
  );
}

const CourseCard = ({ course }: { course: ShelfCourse }) => (
  <li className={classes['card']}>
    <Cover kind="course" title={course.title} src={course.coverurl} />
    <div className={classes['text']}>
      <h2 className={classes['title']} title={course.title}>
        <Link to={`/content/course?courseid=${course.courseid}`}>{course.title}</Link>
      </h2>
      {course.intro && <p className={classes['summary']}>{course.intro}</p>}
      <div className={classes['facts']}>
        {course.lecturer && <span>{course.lecturer}</span>}
        <span>
          {course.lessons} 课时 · {lengthWords(course.duration)}
        </span>
      </div>
      <div className={classes['facts']}>
        <PriceMark course={course} />
        <span>{progressWords(course)}</span>
      </div>
      {course.finished > 0 && (
        <Progress size={4} value={(100 * course.finished) / Math.max(1, course.lessons)} aria-label={progressWords(course)} />
      )}
    </div>
  </li>
);

/** 免费, 已开通, or the price with a lock. */
export const PriceMark = ({ course }: { course: ShelfCourse }) => (
  <span className={classes['mark']} data-quiet={course.locked || undefined}>
    {course.locked === 1 && <IconLock size={13} aria-hidden />}
    {priceWords(course)}
  </span>
);
