#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Looks at the license when the view appears, and keeps it fresh while it is there: when the app comes to the
        /// front, when the network is back, and an hour before a lease ends.
        ///
        /// Put it on the app's outermost view, once.
        ///
        /// - Parameter background: The identifier of the scene's `refreshesLicense(_:as:)`, on iOS: when the app goes to
        ///   the background the system is asked to wake it in time.
        public func keepsLicenseFresh(_ manager: LicenseManager, background: String? = nil) -> some View {
            modifier(FreshLicense(manager: manager, background: background))
        }
    }

    private struct FreshLicense: ViewModifier {
        let manager: LicenseManager
        let background: String?
        @Environment(\.scenePhase) private var phase

        func body(content: Content) -> some View {
            content
                .task {
                    await manager.checkOnLaunch()
                    await manager.run()
                }
                .task { await manager.refreshWhenOnline() }
                .onChange(of: phase) { phase in
                    if phase == .active { Task { await manager.refreshIfNeeded() } }
                    #if canImport(BackgroundTasks) && canImport(UIKit)
                        if phase == .background, let background { manager.scheduleBackgroundRefresh(background) }
                    #endif
                }
        }
    }
#endif
