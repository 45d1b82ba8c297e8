// Draw each chart when it comes near the screen; the table behind it is there without this script.
const draw = (holder) => {
  const spec = JSON.parse(holder.parentElement.querySelector('script[type="application/json"]').textContent);
  window.vegaEmbed(holder, spec, { actions: false, renderer: "svg" });
};
const watcher = new IntersectionObserver(
  (entries) =>
    entries
      .filter((entry) => entry.isIntersecting)
      .forEach((entry) => {
        watcher.unobserve(entry.target);
        draw(entry.target);
      }),
  { rootMargin: "600px" },
);
document.querySelectorAll(".chart").forEach((holder) => watcher.observe(holder));
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((details) => (details.open = true));
  document.querySelectorAll(".chart:empty").forEach(draw);
});
