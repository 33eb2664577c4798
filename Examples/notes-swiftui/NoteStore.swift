import Combine
import Foundation

/// A note.
struct Note: Identifiable {
    let id = UUID()
    var text: String
}

/// The notes of this run; a real app would keep them.
@MainActor
final class NoteStore: ObservableObject {
    @Published private(set) var notes: [Note] = []

    /// Adds a note.
    func add(_ text: String) {
        notes.append(Note(text: text))
    }

    /// All notes as one text.
    var exported: String { notes.map(\.text).joined(separator: "\n\n") }
}
