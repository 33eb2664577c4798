#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Looks at the license when the view appears, and keeps it fresh while it is there: when the app comes to the
        /// front, when the network is back, and an hour before a lease ends.
        ///
        /// Put it on the app's outermost view, once.
        public func keepsLicenseFresh(_ manager: LicenseManager) -> some View {
            modifier(FreshLicense(manager: manager))
        }
    }

    private struct FreshLicense: ViewModifier {
        let manager: LicenseManager
        @Environment(\.scenePhase) private var phase

        func body(content: Content) -> some View {
            content
                .task {
                    await manager.checkOnLaunch()
                    await manager.run()
                }
                .task { await manager.refreshWhenOnline() }
                .onChange(of: phase) { phase in
                    guard phase == .active else { return }
                    Task { await manager.refreshIfNeeded() }
                }
        }
    }
#endif
