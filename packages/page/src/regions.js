// How the edges of a hierarchy are arranged on a map: inside their branches, or beside edges of like meaning.

import { hierarchy as nested, treemap, treemapDice, treemapSlice, treemapSquarify } from "d3-hierarchy";

const STRIP = 15; // height of the name of a region
const NAMED = { width: 80, height: 44 }; // regions that are smaller have no name
const WORST = 12;
const SMALL = 8; // edges that are no region yet

// Each part of a map knows its edges, and how many of them were not hit.
function counted(root, graph) {
  root.eachAfter((one) => {
    one.value = one.data.edge >= 0 && !one.children ? 1 : 0;
    one.failed = one.value && !graph.hits[one.data.edge] ? 1 : 0;
    for (const child of one.children ?? []) { one.value += child.value; one.failed += child.failed; }
  });
  return root;
}

// A node stands below one of its parents; its further edges are cells of their own there.
function branches(graph) {
  const below = (node) => {
    const children = [];
    for (let i = graph.first[node]; i < graph.first[node + 1]; i++) {
      const edge = graph.below[i], child = graph.edges[2 * edge];
      children.push(graph.above[child] === edge && graph.first[child + 1] > graph.first[child] ? { node: child, edge } : { edge });
    }
    return children;
  };
  return nested({ node: -1, edge: -1 }, (one) => {
    if (one.node === undefined) return null;
    if (one.node < 0) return graph.roots.map((node) => ({ node, edge: -1 }));
    return one.edge < 0 ? below(one.node) : [{ edge: one.edge }, ...below(one.node)];
  });
}

// An edge lies where its child is in the order by meaning. That order was made by cutting it into halves again and again, so
// the same cuts give parts that are alike.
function halves(graph, places, size) {
  const order = Uint32Array.from(graph.verdicts.keys()).sort((a, b) => places[graph.edges[2 * a]] - places[graph.edges[2 * b]] || a - b);
  const at = order.map((edge) => places[graph.edges[2 * edge]]);
  const before = (place, first, last) => {
    while (first < last) { const middle = (first + last) >> 1; if (at[middle] < place) first = middle + 1; else last = middle; }
    return first;
  };
  const part = (low, high, first, last) => (last - first === 1 ? { edge: order[first] } : { low, high, first, last });
  const split = ({ low, high, first, last }) => {
    while (high - low > 1) {
      const middle = (low + high) >> 1, cut = before(middle, first, last);
      if (cut > first && cut < last) return [part(low, middle, first, cut), part(middle, high, cut, last)];
      if (cut === last) high = middle; else low = middle;
    }
    return [...order.subarray(first, last)].map((edge) => ({ edge }));
  };
  return nested(part(0, size, 0, order.length), (one) => (one.edge === undefined ? split(one) : null));
}

const longerSide = (part, ...box) => (box[2] - box[0] > box[3] - box[1] ? treemapDice : treemapSlice)(part, ...box);

class Arrangement {
  constructor(graph, root, share) {
    Object.assign(this, { graph, most: Math.max(SMALL, root.value / share), root, names: new Map() });
  }

  // Lays the parts out in a rectangle, with room for the names of those that are large.
  layOut(width, height) {
    this.isTitled = (one) => this.hasName(one) && one.x1 - one.x0 > NAMED.width && one.y1 - one.y0 > NAMED.height;
    treemap().tile(this.tile).size([width, height])
      .paddingOuter((one) => (this.isTitled(one) ? 2 : 0)).paddingTop((one) => (this.isTitled(one) ? STRIP : 0))(this.root);
  }

  // The regions that are missed most, beyond what is missed anywhere: the largest ones that are not most of the whole.
  worst() {
    const found = [];
    const visit = (one) => {
      for (const child of one.children ?? []) {
        if (!child.children) continue;
        if (child.value > this.most) visit(child);
        else if (child.failed) found.push(child);
      }
    };
    visit(this.root);
    const more = (one) => one.failed - one.value * this.root.failed / this.root.value;
    return found.sort((a, b) => more(b) - more(a) || a.value - b.value).slice(0, WORST);
  }

  leaf(edge) {
    this.leaves ??= new Map(this.root.leaves().map((one) => [one.data.edge, one]));
    return this.leaves.get(edge);
  }
}

class ByBranch extends Arrangement {
  constructor(graph) {
    super(graph, counted(branches(graph), graph).sort((a, b) => b.value - a.value), 6);
    this.tile = treemapSquarify;
    this.worstTitle = "Branches";
  }
  hasName(one) { return one.data.node >= 0; }
  nameOf(one) { return this.graph.text(one.data.node); }
}

class ByMeaning extends Arrangement {
  constructor(graph, places, size) {
    super(graph, counted(halves(graph, places, size), graph), 16);
    this.tile = longerSide;
    this.worstTitle = "Regions";
  }
  hasName(one) { return Boolean(one.children) && one.value <= this.most && (!one.parent || one.parent.value > this.most); }

  // A region of like meaning is called by what most of its nodes are below.
  nameOf(one) {
    if (!this.names.has(one)) {
      const counts = new Map();
      for (const { data: { edge } } of one.leaves()) { const parent = this.graph.edges[2 * edge + 1]; counts.set(parent, (counts.get(parent) ?? 0) + 1); }
      const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 2);
      this.names.set(one, `below ${most.map(([node]) => this.graph.text(node)).join(", ")}`);
    }
    return this.names.get(one);
  }
}

export const arranged = (by, graph, places, size) => (by === "meaning" ? new ByMeaning(graph, places, size) : new ByBranch(graph));
export { STRIP };
