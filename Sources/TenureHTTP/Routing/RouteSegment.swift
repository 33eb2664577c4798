/// One part of a route's pattern, between two slashes.
enum RouteSegment: Sendable, Hashable {
    case fixed([UInt8])
    case parameter(String)

    init(_ text: Substring, in pattern: String) {
        precondition(!text.isEmpty, "a route's pattern has no empty segment: \(pattern)")
        guard text.first == "{" else {
            self = .fixed(Array(text.utf8))
            return
        }
        precondition(text.last == "}" && text.count > 2, "a parameter is {name}: \(pattern)")
        self = .parameter(String(text.dropFirst().dropLast()))
    }
}
