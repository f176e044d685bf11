import type { SVGProps } from "react";

interface LineFrameProps extends SVGProps<SVGSVGElement> {
  width: number;
  height: number;
}

/** The frame of a small line without axes, in the colour of the surrounding text. Its size never changes. */
export function LineFrame({ width, height, children, ...others }: LineFrameProps) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...others}
    >
      {children}
    </svg>
  );
}
