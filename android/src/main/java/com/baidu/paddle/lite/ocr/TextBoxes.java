package com.baidu.paddle.lite.ocr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Boxes around lines of text, from the map that PP-OCR's detector gives: the probability of each
 * pixel to belong to the core of a line (Differentiable Binarization, arXiv:1911.08947).
 *
 * <p>A box is four corners {x, y}, clockwise from the top left.
 */
final class TextBoxes {
    private static final double PIXEL = 0.3;
    private static final double BOX = 0.5;
    private static final double SMALLEST = 3;
    private static final double UNCLIP = 1.8;

    private final float[] probability;
    private final int width;
    private final int height;
    private final boolean[] seen;

    private TextBoxes(float[] probability, int width, int height) {
        this.probability = probability;
        this.width = width;
        this.height = height;
        seen = new boolean[width * height];
    }

    /** In pixels of the map, each row from left to right, from top to bottom. */
    static List<double[][]> of(float[] probability, int width, int height) {
        TextBoxes map = new TextBoxes(probability, width, height);
        List<double[][]> boxes = new ArrayList<>();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (map.isNewText(x, y)) {
                    map.add(smallestRectangle(map.outline(x, y)), boxes);
                }
            }
        }
        return readingOrder(boxes);
    }

    static double widthOf(double[][] box) {
        return Math.hypot(box[1][0] - box[0][0], box[1][1] - box[0][1]);
    }

    static double heightOf(double[][] box) {
        return Math.hypot(box[3][0] - box[0][0], box[3][1] - box[0][1]);
    }

    private boolean isNewText(int x, int y) {
        if (x < 0 || y < 0 || x >= width || y >= height) {
            return false;
        }
        return !seen[y * width + x] && probability[y * width + x] > PIXEL;
    }

    /** The corners of the pixels of the component that (x, y) belongs to. */
    private List<double[]> outline(int x, int y) {
        List<double[]> corners = new ArrayList<>();
        Deque<int[]> open = new ArrayDeque<>();
        open.push(new int[] {x, y});
        seen[y * width + x] = true;
        while (!open.isEmpty()) {
            int[] at = open.pop();
            for (int corner = 0; corner < 4; corner++) {
                corners.add(new double[] {at[0] + corner % 2, at[1] + corner / 2});
            }
            for (int step = 0; step < 9; step++) {
                int nextX = at[0] + step % 3 - 1;
                int nextY = at[1] + step / 3 - 1;
                if (isNewText(nextX, nextY)) {
                    seen[nextY * width + nextX] = true;
                    open.push(new int[] {nextX, nextY});
                }
            }
        }
        return corners;
    }

    private void add(double[][] core, List<double[][]> boxes) {
        double w = widthOf(core);
        double h = heightOf(core);
        if (Math.min(w, h) >= SMALLEST && meanInside(core) >= BOX) {
            boxes.add(grown(core, w * h * UNCLIP / (2 * (w + h))));
        }
    }

    private double meanInside(double[][] box) {
        double[] right = {box[1][0] - box[0][0], box[1][1] - box[0][1]};
        double[] down = {box[3][0] - box[0][0], box[3][1] - box[0][1]};
        double sum = 0;
        int count = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double fromX = x + 0.5 - box[0][0];
                double fromY = y + 0.5 - box[0][1];
                double u = fromX * right[0] + fromY * right[1];
                double v = fromX * down[0] + fromY * down[1];
                if (u >= 0 && v >= 0 && u <= squared(right) && v <= squared(down)) {
                    sum += probability[y * width + x];
                    count++;
                }
            }
        }
        return count > 0 ? sum / count : 0;
    }

    private static double squared(double[] a) {
        return a[0] * a[0] + a[1] * a[1];
    }

    private static double cross(double[] from, double[] a, double[] b) {
        return (a[0] - from[0]) * (b[1] - a[1]) - (a[1] - from[1]) * (b[0] - a[0]);
    }

    /** The corners of the convex hull, in order. */
    private static List<double[]> hull(List<double[]> points) {
        points.sort(Comparator.<double[]>comparingDouble(p -> p[0]).thenComparingDouble(p -> p[1]));
        List<double[]> hull = new ArrayList<>();
        for (int pass = 0; pass < 2; pass++) {
            int base = hull.size();
            for (double[] point : points) {
                int size = hull.size();
                while (size > base + 1
                        && cross(hull.get(size - 2), hull.get(size - 1), point) <= 0) {
                    hull.remove(--size);
                }
                hull.add(point);
            }
            hull.remove(hull.size() - 1);
            Collections.reverse(points);
        }
        return hull;
    }

    /** The rectangle of least area around the points: one side lies on a side of their hull. */
    private static double[][] smallestRectangle(List<double[]> points) {
        List<double[]> hull = hull(points);
        double[][] best = {};
        double least = Double.MAX_VALUE;
        for (int i = 0; i < hull.size(); i++) {
            double[] from = hull.get(i);
            double[] to = hull.get((i + 1) % hull.size());
            double length = Math.hypot(to[0] - from[0], to[1] - from[1]);
            double x = (to[0] - from[0]) / length;
            double y = (to[1] - from[1]) / length;
            double[] u = hull.stream().mapToDouble(p -> p[0] * x + p[1] * y).sorted().toArray();
            double[] v = hull.stream().mapToDouble(p -> p[1] * x - p[0] * y).sorted().toArray();
            double u0 = u[0];
            double v0 = v[0];
            double u1 = u[u.length - 1];
            double v1 = v[v.length - 1];
            if ((u1 - u0) * (v1 - v0) < least) {
                least = (u1 - u0) * (v1 - v0);
                double[][] corners = {{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}};
                for (double[] corner : corners) {
                    double along = corner[0];
                    double across = corner[1];
                    corner[0] = x * along - y * across;
                    corner[1] = y * along + x * across;
                }
                best = corners;
            }
        }
        return clockwise(best);
    }

    private static double[][] clockwise(double[][] box) {
        Arrays.sort(box, Comparator.comparingDouble(p -> p[0]));
        boolean leftFirst = box[0][1] <= box[1][1];
        boolean rightFirst = box[2][1] <= box[3][1];
        return new double[][] {
            box[leftFirst ? 0 : 1], box[rightFirst ? 2 : 3], box[rightFirst ? 3 : 2],
            box[leftFirst ? 1 : 0],
        };
    }

    /** Every side moved outwards. */
    private static double[][] grown(double[][] box, double distance) {
        double wide = distance / widthOf(box);
        double tall = distance / heightOf(box);
        double[][] signs = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        double[][] grown = new double[4][2];
        for (int corner = 0; corner < 4; corner++) {
            for (int axis = 0; axis < 2; axis++) {
                double right = (box[1][axis] - box[0][axis]) * wide;
                double down = (box[3][axis] - box[0][axis]) * tall;
                grown[corner][axis] =
                        box[corner][axis] + signs[corner][0] * right + signs[corner][1] * down;
            }
        }
        return grown;
    }

    private static double middle(double[][] box) {
        return (box[0][1] + box[2][1]) / 2;
    }

    private static List<double[][]> readingOrder(List<double[][]> boxes) {
        boxes.sort(Comparator.comparingDouble(TextBoxes::middle));
        for (int begin = 0, end = 0; begin < boxes.size(); begin = end) {
            double[][] first = boxes.get(begin);
            end = begin + 1;
            while (end < boxes.size()
                    && middle(boxes.get(end)) - middle(first)
                            < Math.min(heightOf(boxes.get(end)), heightOf(first)) / 2) {
                end++;
            }
            boxes.subList(begin, end).sort(Comparator.comparingDouble(box -> box[0][0]));
        }
        return boxes;
    }
}
