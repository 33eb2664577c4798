import Combine
import Foundation

struct Note: Identifiable {
    let id = UUID()
    var text: String
}

/// The notes of this run. A real app would store them.
@MainActor
final class NoteStore: ObservableObject {
    @Published private(set) var notes: [Note] = []

    func add(_ text: String) {
        notes.append(Note(text: text))
    }

    /// All notes as one text.
    var exported: String { notes.map(\.text).joined(separator: "\n\n") }
}
