import SwiftUI
import TenureClient

/// Notes for the Mac, iPhone and iPad: a trial, a free plan of three notes, and everything with a license.
@main
struct NotesApp: App {
    private let license = Licensing.manager()
    @StateObject private var notes = NoteStore()

    var body: some Scene {
        WindowGroup {
            switch license {
            case .success(let manager):
                NotesView(notes, manager).keepsLicenseFresh(manager, background: Licensing.refresh)
            case .failure(let error): Text(verbatim: error.message).padding()
            }
        }
        #if canImport(UIKit)
            .refreshesLicense(try? license.get(), as: Licensing.refresh)
        #endif
    }
}
