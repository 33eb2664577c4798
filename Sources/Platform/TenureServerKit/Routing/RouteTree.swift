import TenureHTTP

/// The patterns of all routes, merged into a tree of segments.
///
/// Matching never backtracks: once a fixed segment has matched, no parameter is tried for the same segment. So a
/// reserved first segment never matches as a tenant's id, and the path's length bounds the cost.
struct RouteTree: Sendable {
    /// The routes that end at one position of the tree, and the possible next segments.
    struct Node: Sendable {
        var fixed: [(segment: [UInt8], node: Int)] = []
        var parameter: Int?
        var routes: [(method: String, route: Int)] = []
    }

    private(set) var nodes = [Node()]

    /// Adds a route's segments. Returns `false` if an earlier route has the same method, fixed segments and positions
    /// of parameters.
    mutating func insert(_ segments: [RouteSegment], method: String, route: Int) -> Bool {
        var current = 0
        for segment in segments { current = child(of: current, for: segment) }
        guard !nodes[current].routes.contains(where: { $0.method == method }) else { return false }
        nodes[current].routes.append((method, route))
        return true
    }

    /// Finds the node of a path and collects its decoded parameters. Returns `nil` if no pattern has these segments.
    func walk(_ path: UnsafeBufferPointer<UInt8>, collecting values: inout PathValues) -> Int? {
        guard let first = path.first, first == 0x2F else { return nil }
        if path.count == 1 { return 0 }
        var current = 0
        var start = 1
        while start <= path.count {
            var end = start
            var plain = true
            while end < path.count, path[end] != 0x2F {
                plain = plain && PathSegment.isPlain(path[end])
                end += 1
            }
            let raw = UnsafeBufferPointer(rebasing: path[start..<end])
            guard PathSegment.isNamed(raw) else { return nil }
            if plain {
                guard let next = step(from: current, raw, &values) else { return nil }
                current = next
            } else {
                guard let decoded = PathSegment.decoded(raw),
                    let next = decoded.withUnsafeBufferPointer({ step(from: current, $0, &values) })
                else { return nil }
                current = next
            }
            start = end + 1
        }
        return current
    }

    private func step(from node: Int, _ segment: UnsafeBufferPointer<UInt8>, _ values: inout PathValues) -> Int? {
        for edge in nodes[node].fixed where edge.segment.count == segment.count {
            if edge.segment.elementsEqual(segment) { return edge.node }
        }
        guard let next = nodes[node].parameter, let value = String(utf8: segment.span) else {
            return nil
        }
        values.append(value)
        return next
    }

    private mutating func child(of node: Int, for segment: RouteSegment) -> Int {
        switch segment {
        case .fixed(let bytes):
            if let child = nodes[node].fixed.first(where: { $0.segment == bytes }) { return child.node }
            nodes[node].fixed.append((bytes, nodes.count))
        case .parameter:
            if let child = nodes[node].parameter { return child }
            nodes[node].parameter = nodes.count
        }
        nodes.append(Node())
        return nodes.count - 1
    }
}
