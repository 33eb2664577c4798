import SwiftUI
import TenureClient

/// The list of notes, and the actions that the license permits.
struct NotesView: View {
    @ObservedObject private var notes: NoteStore
    @ObservedObject private var manager: LicenseManager
    @State private var draft = ""
    @State private var showsLicense = false

    init(_ notes: NoteStore, _ manager: LicenseManager) {
        self.notes = notes
        self.manager = manager
    }

    var body: some View {
        NavigationStack {
            List {
                Section("Notes") {
                    // Reading is never refused.
                    ForEach(notes.notes, id: \.id) { note in Text(verbatim: note.text).textSelection(.enabled) }
                }
                Section("New note") {
                    TextField("Text", text: $draft).onSubmit(add).disabled(!mayAdd)
                    if !mayAdd { LicenseStatus(manager) }
                }
                Section("Export") {
                    LicenseGate(manager, entitlement: "export") {
                        Text(verbatim: notes.exported).textSelection(.enabled)
                    } otherwise: {
                        Text(verbatim: exportRefusal).foregroundStyle(.secondary)
                    }
                }
                Button("License") { showsLicense = true }
            }
            .navigationTitle("Notes")
            .sheet(isPresented: $showsLicense) { LicenseStatus(manager).padding() }
        }
    }

    private var mayAdd: Bool {
        switch manager.state {
        case .trial, .licensed: manager.isEntitled
        case .freeTier: notes.notes.count < Licensing.freeNotes
        case .notDetermined, .limited, .expired, .invalid: false
        }
    }

    private var exportRefusal: String {
        manager.isEntitled ? "Your license does not include export." : manager.explanation.cure
    }

    private func add() {
        guard mayAdd, !draft.isEmpty else { return }
        notes.add(draft)
        draft = ""
    }
}
