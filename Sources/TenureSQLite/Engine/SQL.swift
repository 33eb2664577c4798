/// A statement's text, put together from pieces of the program's own text alone: what a user wrote travels in ``Value``.
final class SQL: Sendable {
    let text: String

    init(_ pieces: StaticString...) {
        text = pieces.map(\.description).joined()
    }

    init(_ pieces: [StaticString]) {
        text = pieces.map(\.description).joined(separator: " ")
    }
}
